#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// Does now what the C library puts off when memory is let go of: to join small pieces. It would else do so when somebody
/// next asks for a larger piece, and take that one's time for all that was let go of while nothing was timed.
void memory_settle(void);

/// Touches so much memory and lets go of it, so that the system has it at hand for whoever asks next. The system of a virtual
/// machine may have given free memory back to its host, and to get it again takes several times as long as to clear it.
void memory_touch(size_t bytes);

#endif
