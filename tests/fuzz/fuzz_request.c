/* Takes the head of an HTTP request. However much of it has come, it is not refused before it is complete, unless it is
 * too long; what is accepted has one target of printable letters. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "html/request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stint_request request;
    uint64_t number;
    char *head = copy_text(data, size); /* of exactly this size, so that reading on is noticed */
    int status = stint_request_read(&request, head, size), before = 0;
    for (size_t length = 0; length < size && !before; length++)
        before = stint_request_read(&request, head, length);
    require(!before || before == status, "the beginning says otherwise than all of it");
    if (stint_request_read(&request, head, size) == 200) {
        require(request.target[0] == '/', "the target is no path");
        for (const char *at = request.target; *at; at++)
            require(*at > ' ' && *at <= '~', "the target has other letters");
        if (stint_request_number(&request, "from", &number) == 0)
            require(number < UINT64_C(1000000000000000000), "the number is too large");
    }
    free(head);
    return 0;
}
