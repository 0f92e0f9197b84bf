#include "store/page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* SQLite has its locks at this place in a file, and no page there. */
enum { LOCK_PLACE = 0x40000000 / STINT_BTREE_PAGE + 1 };

/* Of a database's first page. */
enum { PAGE_SIZE_AT = 16, RESERVED_AT = 20, CHANGES_AT = 24, PAGES_AT = 28, CHANGES_OF_PAGES_AT = 92, HEAD = 100 };

static void fail(struct stint_pages *pages)
{
    (void)stint_sql_fail(pages->sql, "%s", errno == ENOSPC ? "the disk is full" : strerror(errno));
}

static int write_at(int file, const unsigned char *bytes, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pwrite(file, bytes + done, size - done, (off_t)(at + done));
        if (count < 0 && errno != EINTR)
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

static int read_at(int file, unsigned char *bytes, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        ssize_t count = pread(file, bytes + done, size - done, (off_t)(at + done));
        if (count == 0)
            errno = EIO;
        if (count == 0 || (count < 0 && errno != EINTR))
            return -1;
        done += count > 0 ? (size_t)count : 0;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------- a file without a name */

static int open_file(const char *path)
{
    char folder[PATH_MAX];
    int length = snprintf(folder, sizeof folder, "%s", path);
    char *slash = length < (int)sizeof folder ? strrchr(folder, '/') : NULL;
    (void)snprintf(slash ? slash + 1 : folder, 2, ".");
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    if (snprintf(folder, sizeof folder, "%s.pages", path) >= (int)sizeof folder)
        return -1;
    file = open(folder, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        (void)unlink(folder);
    return file;
}

void stint_pages_begin(struct stint_pages *pages, struct stint_sql *sql, const char *path)
{
    *pages = (struct stint_pages){.sql = sql, .file = -1};
    pages->buffer = malloc((size_t)STINT_PAGES_BUFFERED * STINT_BTREE_PAGE);
    if (!pages->buffer) {
        (void)stint_sql_fail(sql, "there is not enough memory");
        return;
    }
    pages->file = open_file(path);
    if (pages->file < 0)
        fail(pages);
}

void stint_pages_end(struct stint_pages *pages)
{
    if (pages->buffer && pages->file >= 0)
        (void)close(pages->file);
    free(pages->buffer);
    *pages = (struct stint_pages){.file = -1};
}

static void flush(struct stint_pages *pages)
{
    size_t size = (size_t)(pages->count - pages->written) * STINT_BTREE_PAGE;
    if (!pages->sql->failed &&
        write_at(pages->file, pages->buffer, size, (uint64_t)pages->written * STINT_BTREE_PAGE) != 0)
        fail(pages);
    pages->written = pages->count;
}

uint32_t stint_pages_add(struct stint_pages *pages, struct stint_btree_page *page, uint32_t right)
{
    stint_btree_end(page, right);
    if (pages->sql->failed)
        return 0;
    if (pages->count == UINT32_MAX / 2)
        (void)stint_sql_fail(pages->sql, "it would have more pages than a database can have");
    memcpy(pages->buffer + (size_t)(pages->count - pages->written) * STINT_BTREE_PAGE, page->bytes, STINT_BTREE_PAGE);
    if (++pages->count - pages->written == STINT_PAGES_BUFFERED)
        flush(pages);
    return pages->count - 1;
}

void stint_pages_read(struct stint_pages *pages, uint32_t number, struct stint_btree_page *page)
{
    flush(pages);
    if (!pages->sql->failed &&
        read_at(pages->file, page->bytes, STINT_BTREE_PAGE, (uint64_t)number * STINT_BTREE_PAGE) != 0)
        fail(pages);
    stint_btree_resume(page);
}

void stint_pages_write(struct stint_pages *pages, uint32_t number, struct stint_btree_page *page)
{
    stint_btree_end(page, 0);
    if (!pages->sql->failed &&
        write_at(pages->file, page->bytes, STINT_BTREE_PAGE, (uint64_t)number * STINT_BTREE_PAGE) != 0)
        fail(pages);
}

/* -------------------------------------------------------------------------------------------------------- databases */

uint32_t stint_pages_place(const struct stint_pages *pages, uint32_t number)
{
    uint32_t place = pages->base + 1 + number;
    return place + (pages->base < LOCK_PLACE && place >= LOCK_PLACE);
}

int stint_pages_open_database(struct stint_pages *pages, const char *path)
{
    unsigned char head[HEAD];
    struct stat status;
    int file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0 || fstat(file, &status) != 0 || read_at(file, head, sizeof head, 0) != 0) {
        fail(pages);
    } else if (head[PAGE_SIZE_AT] != STINT_BTREE_PAGE >> 8 || head[PAGE_SIZE_AT + 1] || head[RESERVED_AT]) {
        (void)stint_sql_fail(pages->sql, "this SQLite makes pages of another size");
    } else {
        pages->base = (uint32_t)(status.st_size / STINT_BTREE_PAGE);
        return file;
    }
    if (file >= 0)
        (void)close(file);
    return -1;
}

void stint_pages_replace(struct stint_pages *pages, int database, uint32_t place, struct stint_btree_page *page,
                         uint32_t right)
{
    stint_btree_end(page, right);
    if (!pages->sql->failed &&
        write_at(database, page->bytes, STINT_BTREE_PAGE, (uint64_t)(place - 1) * STINT_BTREE_PAGE) != 0)
        fail(pages);
}

/* Copies pages from `number` on that are behind each other in the database. Returns how many. Where the file system can
 * do so, the disk gets back what they took. */
static uint32_t copy(struct stint_pages *pages, int database, uint32_t number)
{
    uint32_t place = stint_pages_place(pages, number), count = 1;
    while (count < STINT_PAGES_BUFFERED && number + count < pages->count &&
           stint_pages_place(pages, number + count) == place + count)
        count++;
    size_t size = (size_t)count * STINT_BTREE_PAGE;
    if (read_at(pages->file, pages->buffer, size, (uint64_t)number * STINT_BTREE_PAGE) != 0 ||
        write_at(database, pages->buffer, size, (uint64_t)(place - 1) * STINT_BTREE_PAGE) != 0)
        fail(pages);
    (void)fallocate(pages->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)number * STINT_BTREE_PAGE,
                    (off_t)size);
    return count;
}

/* SQLite takes the number of pages from the head if the two counts of changes there are equal. */
static int put_head(const struct stint_pages *pages, int database)
{
    unsigned char head[HEAD];
    if (read_at(database, head, sizeof head, 0) != 0)
        return -1;
    head[CHANGES_AT + 3]++;
    memcpy(head + CHANGES_OF_PAGES_AT, head + CHANGES_AT, 4);
    (void)stint_btree_put_u32(head + PAGES_AT, stint_pages_place(pages, pages->count - 1));
    return write_at(database, head, sizeof head, 0);
}

void stint_pages_append(struct stint_pages *pages, int database)
{
    flush(pages);
    for (uint32_t number = 0; number < pages->count && !pages->sql->failed;)
        number += copy(pages, database, number);
    if (!pages->sql->failed && pages->count && put_head(pages, database) != 0)
        fail(pages);
}

void stint_pages_close_database(struct stint_pages *pages, int database)
{
    if (close(database) != 0 && !pages->sql->failed)
        fail(pages);
}
