/* A library of calls.c. */
int shared(int number);

int shared(int number)
{
    return number;
}
