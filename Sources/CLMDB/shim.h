#include <lmdb.h>
#ifdef __linux__
#include <sys/stat.h>
#include <sys/vfs.h>
#endif
