// Preloaded: makes write take fewer bytes than given, and close report an error. The system may do both.
//
//   FAULT_WRITE_CALL=k   the k-th write or pwrite to a regular file, from 1; 0 is every one
//   FAULT_WRITE_CAP=n    takes n bytes at most; 0 is a write that takes nothing
//   FAULT_CLOSE_ERROR=e  every close of a regular file or directory closes it and then fails with this errno
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long setting(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : -1;
}

static mode_t kind(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_mode & S_IFMT : 0;
}

// The number of bytes that the next write takes.
static size_t taken(int file, size_t count) {
  static atomic_long calls;
  long call = setting("FAULT_WRITE_CALL"), cap = setting("FAULT_WRITE_CAP");
  if (call < 0 || cap < 0 || kind(file) != S_IFREG) return count;
  long number = atomic_fetch_add(&calls, 1) + 1;
  return (call == 0 || number == call) && count > (size_t)cap ? (size_t)cap : count;
}

ssize_t write(int file, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  count = taken(file, count);
  return count == 0 ? 0 : real(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
  count = taken(file, count);
  return count == 0 ? 0 : real(file, bytes, count, offset);
}

int close(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "close");
  long error = setting("FAULT_CLOSE_ERROR");
  mode_t what = error > 0 ? kind(file) : 0;
  int result = real(file);
  if (what == S_IFREG || what == S_IFDIR) {
    errno = (int)error;
    return -1;
  }
  return result;
}
