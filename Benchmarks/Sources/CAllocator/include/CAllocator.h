#ifndef CALLOCATOR_H
#define CALLOCATOR_H

/// Does now what the C library puts off when memory is let go of: to join small pieces. It would else do so when somebody
/// next asks for a larger piece, and take that one's time for all that was let go of while nothing was timed.
void allocator_settle(void);

#endif
