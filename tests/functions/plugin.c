/* A plugin, compiled with -finstrument-functions, whose functions are called FUNCTION and, at another address, EXTRA.
 * All plugins made from this file are the same except for the names. */
int FUNCTION(int number);
int EXTRA(int number);

int FUNCTION(int number)
{
    return number + 1;
}

int EXTRA(int number)
{
    return number + 2;
}
