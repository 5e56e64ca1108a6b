// Extended attributes on Linux. Swift's modules of the C library lack this header.
#include <sys/xattr.h>
