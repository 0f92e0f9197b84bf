/* A plugin that is linked without symbols, except those that it exports. */
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
