#include "CCommandLine.h"

#include <stddef.h>
#if defined(__linux__)
#include <unistd.h>
#endif

static int argument_count = 0;
static char **arguments = NULL;

// glibc calls constructors with the arguments of main; other C libraries do not promise that.
#if defined(__linux__) && defined(__GLIBC__)
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  if (access("/proc/self/cmdline", R_OK) == 0) return;
  argument_count = count;
  arguments = values;
}
#endif

int broker_argument_count(void) { return argument_count; }

const char *broker_argument(int index) { return index >= 0 && index < argument_count ? arguments[index] : NULL; }
