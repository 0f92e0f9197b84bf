/* Like refused.c, for op.h. */
#include <stint/op.h>

#define LAST 9 /* refused.sh reads this */

void call_site(int x);

void call_site(int x)
{
    (void)x;
    STINT_OP("name", STINT_FPROP, "layer", 1, STINT_TENSOR(STINT_FP32, x));

#if WRONG == 1 /* without braces: the operation would end before the statement that it should enclose */
    if (x)
        STINT_OP("name", STINT_FPROP, "layer", 1, STINT_TENSOR(STINT_FP32, x));
#elif WRONG == 2
    while (x--)
        STINT_OP_BACKWARD("name", 1);

#elif WRONG == 3 /* the wrong type */
    STINT_OP(1, STINT_FPROP, "layer", 1, STINT_TENSOR(STINT_FP32, x));
#elif WRONG == 4
    STINT_OP("name", "fprop", "layer", 1, STINT_TENSOR(STINT_FP32, x));
#elif WRONG == 5
    STINT_OP("name", STINT_FPROP, 2.5, 1, STINT_TENSOR(STINT_FP32, x));
#elif WRONG == 6
    STINT_OP("name", STINT_FPROP, "layer", 1, STINT_TENSOR("fp32", x));
#elif WRONG == 7
    STINT_OP("name", STINT_FPROP, "layer", 1, "a text");

#elif WRONG == 8 /* the wrong number */
    STINT_OP_BACKWARD("name");

#elif WRONG == 9 /* no such thing */
    STINT_OP("name", STINT_FPROP, "layer", 1, STINT_TENSOR(STINT_FP32, undeclared));
#endif
}
