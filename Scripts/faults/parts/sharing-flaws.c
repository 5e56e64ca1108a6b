// Preloaded: takes one step away from stores that share a file, or stops a process while it has the lock.
//
//   FAULT_SHARING=no-lock          the lock is never taken
//   FAULT_SHARING=no-line-sync     a line of the journal is not synced
//   FAULT_SHARING_TRIGGER=path     a file with a CALL and the number of a SIGNAL. The process that has the lock sends
//                                  the signal to itself before the call, and removes the file: lock (behind it), name
//                                  (its own, in the lock file), note (of the saves, there too), write, pwrite
//                                  (elsewhere), fdatasync, fsync, renameat, unlinkat, unlock
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

// The place of the second line of the lock file, and its length.
#define NOTE 256

// The lock file is open all the time, and one process has one store.
static atomic_bool has_lock;

static bool has(const char *flaw) {
  const char *name = getenv("FAULT_SHARING");
  return name && strcmp(name, flaw) == 0;
}

static bool is_lock_file(int file) {
  char link[64], path[PATH_MAX + 1] = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX);
  return length > 5 && strcmp(path + length - 5, ".lock") == 0;
}

static void before(const char *call) {
  const char *trigger = getenv("FAULT_SHARING_TRIGGER");
  if (!trigger || !has_lock) return;
  FILE *file = fopen(trigger, "r");
  if (!file) return;
  char wanted[32] = "";
  int number = 0;
  int found = fscanf(file, "%31s %d", wanted, &number);
  fclose(file);
  if (found == 2 && strcmp(wanted, call) == 0 && unlink(trigger) == 0) raise(number);
}

#define REAL(result, name, ...)                                                \
  static result (*real)(__VA_ARGS__);                                          \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

int flock(int file, int operation) {
  REAL(int, "flock", int, int);
  if (has("no-lock")) return 0;
  if (operation & LOCK_UN) {
    before("unlock");
    has_lock = false;
  }
  int result = real(file, operation);
  if (result == 0 && operation & LOCK_EX) {
    has_lock = true;
    before("lock");
  }
  return result;
}

ssize_t write(int file, const void *bytes, size_t count) {
  REAL(ssize_t, "write", int, const void *, size_t);
  before("write");
  return real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  bool is_note = offset == NOTE && is_lock_file(file);
  bool is_name = offset == 0 && memmem(bytes, count, "(process ", 9) && is_lock_file(file);
  before(is_note ? "note" : is_name ? "name" : "pwrite");
  return real(file, bytes, count, offset);
}

int fsync(int file) {
  REAL(int, "fsync", int);
  before("fsync");
  return real(file);
}

int fdatasync(int file) {
  REAL(int, "fdatasync", int);
  before("fdatasync");
  return has("no-line-sync") ? 0 : real(file);
}

int renameat(int old, const char *name, int new, const char *new_name) {
  REAL(int, "renameat", int, const char *, int, const char *);
  before("renameat");
  return real(old, name, new, new_name);
}

int unlinkat(int folder, const char *name, int flags) {
  REAL(int, "unlinkat", int, const char *, int);
  before("unlinkat");
  return real(folder, name, flags);
}
