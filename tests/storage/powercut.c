/* Writes down, in order, what a process does to the files of a database: writes, cuts, flushes, removals.
 *
 * Preloaded (LD_PRELOAD) into a process; POWERCUT_FILES is how the paths of the files begin, POWERCUT_TRACE where it is
 * written down. Each entry: kind, length of the path, offset, length of the data (native integers, packed), path, data.
 * The process itself appends entries of its own to the same file: what it has acknowledged. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;

static int is_ours(int file, char *path) {
    char link[64];
    const char *files = getenv("POWERCUT_FILES");
    if (!files) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, 4095);
    if (length <= 0) return 0;
    path[length] = 0;
    return strncmp(path, files, strlen(files)) == 0;
}

static void note(char kind, const char *path, int64_t offset, const void *data, uint64_t length) {
    struct __attribute__((packed)) { char kind; uint16_t path; int64_t offset; uint64_t length; } head =
        {kind, (uint16_t)strlen(path), offset, length};
    struct iovec parts[3] = {{&head, sizeof head}, {(void *)path, head.path}, {(void *)data, length}};
    if (trace < 0)
        trace = (int)syscall(SYS_openat, AT_FDCWD, getenv("POWERCUT_TRACE"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (syscall(SYS_writev, trace, parts, 3) != (long)(sizeof head + head.path + length)) abort();
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WITH(call, kind, offset, data, length)                                  \
    char path[4096];                                                            \
    if (!is_ours(file, path)) return call;                                      \
    pthread_mutex_lock(&one_at_a_time);                                         \
    int64_t at = (offset);                                                      \
    __typeof__(call) done = call;                                               \
    if (done >= 0) note(kind, path, at, data, length);                          \
    pthread_mutex_unlock(&one_at_a_time);                                       \
    return done

ssize_t pwrite(int file, const void *data, size_t size, off_t offset) {
    WITH(REAL(pwrite)(file, data, size, offset), 'W', offset, data, (uint64_t)done);
}
ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) {
    WITH(REAL(pwrite64)(file, data, size, offset), 'W', offset, data, (uint64_t)done);
}
ssize_t write(int file, const void *data, size_t size) {
    WITH(REAL(write)(file, data, size), 'W', lseek(file, 0, SEEK_CUR), data, (uint64_t)done);
}
int ftruncate(int file, off_t size) { WITH(REAL(ftruncate)(file, size), 'T', size, "", 0); }
int ftruncate64(int file, off64_t size) { WITH(REAL(ftruncate64)(file, size), 'T', size, "", 0); }
int fsync(int file) { WITH(REAL(fsync)(file), 'S', 0, "", 0); }
int fdatasync(int file) { WITH(REAL(fdatasync)(file), 'S', 0, "", 0); }

int unlink(const char *name) {
    const char *files = getenv("POWERCUT_FILES");
    if (!files || strncmp(name, files, strlen(files)) != 0) return REAL(unlink)(name);
    pthread_mutex_lock(&one_at_a_time);
    int done = REAL(unlink)(name);
    if (done == 0) note('U', name, 0, "", 0);
    pthread_mutex_unlock(&one_at_a_time);
    return done;
}
