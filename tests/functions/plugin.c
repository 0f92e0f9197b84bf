/* A plugin, compiled with -finstrument-functions, whose functions are called FUNCTION and, at another address, EXTRA.
 * All plugins made of this file are alike but for the names. */
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
