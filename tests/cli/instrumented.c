/* A program that is compiled with -finstrument-functions, and knows nothing of stint. */
static volatile int s_value;

static void inner(void)
{
    s_value++;
}

static void outer(void)
{
    for (int i = 0; i < 3; i++)
        inner();
}

int main(void)
{
    outer();
    outer();
    return 0;
}
