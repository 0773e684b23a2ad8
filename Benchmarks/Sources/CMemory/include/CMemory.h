#ifndef CMEMORY_H
#define CMEMORY_H

#include <stddef.h>

/// Does now what the C library defers when memory is freed: joining small blocks. Otherwise it would do so at the next
/// allocation of a larger block, and that one's time would include it.
void memory_trim(void);

/// Touches that much memory and frees it, so that the system has it ready. The system of a virtual machine may have
/// given free memory back to its host, and getting it again takes several times as long as clearing it.
void memory_touch(size_t bytes);

#endif
