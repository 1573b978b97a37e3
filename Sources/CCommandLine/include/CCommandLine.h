#ifndef CCOMMANDLINE_H
#define CCOMMANDLINE_H

/// The number of arguments that the process was started with, with its own name, where Swift cannot tell: on Linux without /proc. 0
/// everywhere else, and where the C library does not tell either.
int broker_argument_count(void);

/// An argument of the process; null where there is none.
const char *broker_argument(int index);

#endif
