/* A plugin that is linked without symbols but those it exports. */
int entry(int number);

__attribute__((noinline)) static int hidden(int number)
{
    __asm__ volatile("" ::: "memory");
    return number + 1;
}

int entry(int number)
{
    return hidden(number);
}
