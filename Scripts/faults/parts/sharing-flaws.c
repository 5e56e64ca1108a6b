// Preloaded: takes one step away from stores that share a file, or stops a process while it has the lock.
//
//   FAULT_SHARING=no-lock          the lock is never taken
//   FAULT_SHARING=own-lineage      what the lock file says of the saves is what this process has last written there
//   FAULT_SHARING=forgotten-others what it says of the files of other programs is left out
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
static atomic_bool has_lock, has_noted;
static char own_note[NOTE];

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

static void forget_others(char *note) {
  char *others = memmem(note, NOTE, " others ", 8);
  if (!others) return;
  memset(others, ' ', (size_t)(note + NOTE - 1 - others));
  memcpy(others, " others - 0", 11);
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
  if (!is_note || count != NOTE) return real(file, bytes, count, offset);
  char note[NOTE];
  memcpy(note, bytes, NOTE);
  if (has("forgotten-others")) forget_others(note);
  memcpy(own_note, note, NOTE);
  has_noted = true;
  return real(file, note, count, offset);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  REAL(ssize_t, "pread", int, void *, size_t, off_t);
  ssize_t result = real(file, bytes, count, offset);
  if (!has("own-lineage") || !has_noted || !is_lock_file(file)) return result;
  for (ssize_t index = 0; index < result; index++) {
    off_t place = offset + index - NOTE;
    if (place >= 0 && place < NOTE) ((char *)bytes)[index] = own_note[place];
  }
  return result;
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
