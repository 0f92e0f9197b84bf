/* Takes any text, as a program may give it to NVTX. Its name, label, keys and values are parts of it, in order, and the
 * name by which it is counted fits in its room. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "support/annotation.h"

static void require_within(struct stint_piece piece, const char *from, const char *end)
{
    if (piece.length)
        require(piece.text >= from && piece.length <= (size_t)(end - piece.text), "a part is not within the text");
}

static void check_pairs(struct stint_piece rest)
{
    const char *from = rest.text, *end = rest.text + rest.length;
    struct stint_piece key, value;
    while (stint_annotation_pair(&rest, &key, &value)) {
        require(key.length && value.length, "a key or a value is empty");
        require_within(key, from, end);
        require_within(value, key.text + key.length + 1, end);
        from = value.text + value.length;
    }
    require(!rest.length, "pairs ended before the data");
}

static void check_name(const struct stint_annotation *annotation, size_t size)
{
    char *name = malloc(size);
    require(name != NULL, "no memory");
    stint_annotation_name(annotation, name, size);
    require(strlen(name) < size, "a name is longer than its room");
    free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stint_annotation annotation;
    char *text = malloc(size ? size : 1); /* no larger, so that a read beyond it is noticed */
    require(text != NULL, "no memory");
    if (size)
        memcpy(text, data, size);
    if (stint_annotation_read(&annotation, text, size)) {
        require_within(annotation.name, text, text + size);
        require_within(annotation.data, text, text + size);
        require_within(annotation.label, annotation.data.text, text + size);
        check_pairs(annotation.data);
        check_name(&annotation, 1);
        check_name(&annotation, size + 2);
    }
    free(text);
    return 0;
}
