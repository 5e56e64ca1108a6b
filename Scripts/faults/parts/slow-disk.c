// Preloaded: makes fsync and fdatasync take a random time, up to FAULT_SYNC_TIME microseconds more.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_disk(void) {
  const char *text = getenv("FAULT_SYNC_TIME");
  long limit = text ? atol(text) : 0;
  if (limit > 0) usleep((useconds_t)(random() % limit));
}

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return real(file);
}
