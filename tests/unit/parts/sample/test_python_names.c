/* Names of Python's functions: src/parts/sample/python_names.c, from objects made up in this process' memory. */
#include "sample/python.h"

#include <stdio.h>
#include <string.h>

#include "stint_test.h"

enum { TEXT_SIZE = 2048, IS_COMPACT = 0x20, IS_ASCII = 0x40 };

static uint64_t s_code_type, s_text_type;
static uint64_t s_code[STINT_PYTHON_CODE / 8], s_file[TEXT_SIZE / 8], s_name[TEXT_SIZE / 8];
static struct stint_interpreter s_interpreter;
static struct stint_python s_python;

static void put_text(uint64_t *text, const void *bytes, size_t length, unsigned width, unsigned is_ascii)
{
    const struct stint_python_layout *layout = s_interpreter.layout;
    text[1] = (uintptr_t)&s_text_type;
    text[2] = length;
    text[4] = IS_COMPACT | width << 2 | is_ascii;
    memcpy((char *)text + (is_ascii ? layout->ascii : layout->compact), bytes, length * width);
}

static void put_ascii(uint64_t *text, const char *bytes)
{
    put_text(text, bytes, strlen(bytes), 1, IS_ASCII);
}

static int start(void **state)
{
    (void)state;
    return stint_python_names_start();
}

/* Function f in line 7 of x.py. */
static int begin(void **state)
{
    (void)state;
    s_interpreter = (struct stint_interpreter){.layout = stint_python_layout_of(13),
                                               .code_type = (uintptr_t)&s_code_type,
                                               .text_type = (uintptr_t)&s_text_type};
    s_code[1] = (uintptr_t)&s_code_type;
    s_code[s_interpreter.layout->file / 8] = (uintptr_t)s_file;
    s_code[s_interpreter.layout->name / 8] = (uintptr_t)s_name;
    s_code[s_interpreter.layout->line / 8] = UINT64_C(7) << 32 | 99; /* in the upper half of the word */
    put_ascii(s_file, "x.py");
    put_ascii(s_name, "f");
    return 0;
}

static uint32_t number(void)
{
    s_python.count = 1;
    s_python.frames[0] = (struct stint_python_frame){.code = (uintptr_t)s_code};
    stint_python_name(&s_python, &s_interpreter);
    return s_python.count ? s_python.frames[0].function : 0;
}

TEST_ONCE(start, NULL)
TEST_EACH(begin, NULL)

TEST(file_line_and_name_are_one_text_and_equal_texts_one_function)
{
    uint32_t first = number();
    assert_string_equal(stint_python_function(first), "x.py:7 f");
    put_ascii(s_name, "g"); /* another function, where the first was */
    assert_string_equal(stint_python_function(number()), "x.py:7 g");
    put_ascii(s_name, "f");
    assert_int_equal(number(), first);
    assert_true(first < stint_python_function_end());
}

TEST(characters_of_all_widths_become_utf8)
{
    static const uint16_t greek[] = {0x3b1, 0x3b2};
    static const uint32_t wide[] = {'m', 0x1f40d};
    put_text(s_name, "caf\xe9", 4, 1, 0);
    assert_string_equal(stint_python_function(number()), "x.py:7 caf\xc3\xa9");
    put_text(s_name, greek, 2, 2, 0);
    assert_string_equal(stint_python_function(number()), "x.py:7 \xce\xb1\xce\xb2");
    put_text(s_file, wide, 2, 4, 0);
    assert_string_equal(stint_python_function(number()), "m\xf0\x9f\x90\x8d:7 \xce\xb1\xce\xb2");
}

TEST(of_a_long_file_the_end_is_kept_and_of_a_long_name_the_beginning)
{
    char file[1001], name[1001];
    memset(file, '/', sizeof file);
    memset(name, 'n', sizeof name);
    memcpy(file + 996, "y.py", 5);
    name[0] = 'N';
    name[1000] = '\0';
    put_ascii(s_file, file);
    put_ascii(s_name, name);
    const char *text = stint_python_function(number());
    assert_int_equal(strlen(text), STINT_PYTHON_FILE + STINT_PYTHON_NAME + 3);
    assert_non_null(strstr(text, "/y.py:7 Nnn"));
}

TEST(objects_of_other_types_or_shapes_have_no_function)
{
    s_code[1] = 1;
    assert_int_equal(number(), 0);
    s_code[1] = (uintptr_t)&s_code_type;
    s_name[1] = 1;
    assert_int_equal(number(), 0);
    put_ascii(s_name, "f");
    s_name[4] = IS_ASCII | 1 << 2;
    assert_int_equal(number(), 0);
    s_name[4] = IS_COMPACT | 3 << 2;
    assert_int_equal(number(), 0);
    put_ascii(s_name, "f");
    s_name[2] = UINT64_MAX;
    assert_int_equal(number(), 0);
    put_ascii(s_name, "f");
    s_code[s_interpreter.layout->file / 8] = 16;
    assert_int_equal(number(), 0);
}

/* A frame that cannot be read ends the list, and frames of the same call that are further in have no place either. */
TEST(frames_end_at_the_call_that_cannot_be_read)
{
    s_python.count = 4;
    for (size_t i = 0; i < 4; i++)
        s_python.frames[i] = (struct stint_python_frame){.code = (uintptr_t)s_code, .home = i ? 2 : 1};
    s_python.frames[2].code = 16;
    stint_python_name(&s_python, &s_interpreter);
    assert_int_equal(s_python.count, 1);
}

TEST(functions_beyond_the_limit_are_one)
{
    char name[16];
    uint32_t last = 0;
    for (int i = 0; i < STINT_PYTHON_FUNCTIONS + 10; i++) {
        (void)snprintf(name, sizeof name, "f%d", i);
        put_ascii(s_name, name);
        last = number();
    }
    assert_int_equal(last, STINT_PYTHON_FIRST);
    assert_string_equal(stint_python_function(last), "(more functions of Python than are kept)");
    assert_int_equal(stint_python_function_end(), STINT_SAMPLER_MODULES);
}
