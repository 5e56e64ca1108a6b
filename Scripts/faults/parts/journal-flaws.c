// Preloaded: takes one step away from a store with a journal. FAULT_JOURNAL names it.
//
//   no-line-sync    a line of the journal is not synced
//   no-first-sync   a new journal is not synced before it gets its name
//   no-name-sync    the name of a new journal is not synced
//   removed-first   the journal is removed before the new file is in place
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".journal";
static atomic_bool is_named;

static bool has(const char *flaw) {
  const char *name = getenv("FAULT_JOURNAL");
  return name && strcmp(name, flaw) == 0;
}

static bool ends(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

static bool is_directory(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
}

// Whether a file without its name yet is a journal.
static bool is_journal(const char *link) {
  static const char head[] = "{\"journal\"";
  char bytes[sizeof head] = {0};
  int file = open(link, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ssize_t count = read(file, bytes, sizeof head - 1);
  close(file);
  return count == sizeof head - 1 && strcmp(bytes, head) == 0;
}

static bool is_left_out(int file) {
  if (has("no-name-sync") && is_directory(file)) return atomic_exchange(&is_named, false);
  char link[64], path[PATH_MAX + 1] = {0};
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, path, PATH_MAX) < 0) return false;
  if (has("no-line-sync")) return ends(path, suffix);
  return has("no-first-sync") && ends(path, ".tmp") && is_journal(link);
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  return is_left_out(file) ? 0 : real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return is_left_out(file) ? 0 : real(file);
}

int renameat(int old, const char *name, int new, const char *new_name) {
  static int (*real)(int, const char *, int, const char *);
  if (!real) real = (int (*)(int, const char *, int, const char *))dlsym(RTLD_NEXT, "renameat");
  if (ends(new_name, suffix)) {
    atomic_store(&is_named, true);
  } else if (has("removed-first")) {
    char journal[PATH_MAX];
    snprintf(journal, sizeof journal, ".%s%s", new_name, suffix);
    // The pause is that of a slow disk. Without it, many kills are needed to find the gap.
    if (unlinkat(new, journal, 0) == 0 && fsync(new) == 0) usleep(3000);
  }
  return real(old, name, new, new_name);
}
