#include <stdlib.h>
#include <string.h>

#include "demangle/demangle.h"
#include "stint_test.h"

/* What c++filt of binutils 2.40 makes of them. */
static const struct {
    const char *mangled, *name;
} s_names[] = {
    {"_Z3fooIiEvT_", "void foo<int>(int)"},
    {"_Z6squarePfi", "square(float*, int)"},
    {"_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEESt5arrayIPcLm1EEEEviT0_T1_",
     "void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>, std::array<char*, 1ul> >(int, "
     "at::native::FillFunctor<float>, std::array<char*, 1ul>)"},
    {"_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_22gpu_kernel_impl_nocastINS0_13BinaryFunctorIfffNS0_15binary_"
     "internal10MulFunctorIfEEEEEEvRNS_18TensorIteratorBaseERKT_EUlibE_EEviT1_",
     "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<float, "
     "float, float, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&, "
     "at::native::BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> > "
     "const&)::{lambda(int, bool)#1}>(int, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<float, float, "
     "float, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&, "
     "at::native::BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> > "
     "const&)::{lambda(int, bool)#1})"},
    {"_ZN43_GLOBAL__N__8d3b5f3e_10_kernels_cu_f0a1b2c35scaleEPffi", "(anonymous namespace)::scale(float*, float, int)"},
    {"_Z9transposeILi32ELb1ELc97ELln5EEvPKfPf", "void transpose<32, true, (char)97, -5l>(float const*, float*)"},
    {"_Z5applyIPFffEEvT_Pf", "void apply<float (*)(float)>(float (*)(float), float*)"},
    {"_Z3sumIJifdEEvDpT_", "void sum<int, float, double>(int, float, double)"},
    {"_Z3sumIJEEvDpT_", "void sum<>()"},
    {"_Z1fRA3_KiM1AFvvE", "f(int const (&) [3], void (A::*)())"},
    {"_ZN1SC1ERKS_", "S::S(S const&)"},
    {"_ZN1SD1Ev", "S::~S()"},
    {"_ZNK1ScvbEv", "S::operator bool() const"},
    {"_ZNSsC1EPKcRKSaIcE", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >::basic_string(char "
                           "const*, std::allocator<char> const&)"},
    {"_Z1gIiENSt9enable_ifIXsr3std11is_integralIT_EE5valueEvE4typeES0_",
     "std::enable_if<std::is_integral<int>::value, void>::type g<int>(std::enable_if)"},
    {"_Z1hIiEDTplfp_Li1EET_", "decltype ({parm#1}+(1)) h<int>(int)"},
    {"_Z1nPDoFvvE", "n(void (*)() noexcept)"},
    {"_Z1mPFPFivEcE", "m(int (*(*)(char))())"},
    {"_ZN1AaSEOS_", "A::operator=(A&&)"},
    {"_Z3fooB5cxx11v", "foo[abi:cxx11]()"},
    {"_Z1RDv4_f", "R(float __vector(4))"},
    {"_Z1RIiEvDv_T__f", "void R<int>(float __vector(int))"},
    {"_ZN1AI1BIiEE1fILi3EEEvOT_RKS2_", "void A<B<int> >::f<3>(3&&, A<B<int> > const&)"},
    {"_Z3runIJSt5tupleIJifEEEEvDpT_", "void run<std::tuple<int, float> >(std::tuple<int, float>)"},
    {"_Z3runI1AJ1BISt5tupleIJilfEEEiEEvT_DpRKT0_",
     "void run<A, B<std::tuple<int, long, float> >, int>(A, B<std::tuple<int, long, float> > const&, int const&)"},
    {"_Z6kernelIZ3runIfEvT_EUliE_EvS1_",
     "void kernel<run<float>(float)::{lambda(int)#1}>(run<float>(float)::{lambda(int)#1})"},
    {"_Z1fIKiEvRKT_", "void f<int const>(int const&)"},
    {"_Z1fIiEDTcl1gcvT__EEES0_", "decltype (g((int)())) f<int>(int)"},
    {"_Z1fIiEDTclL_Z1gIiEvT_Efp_EET_", "decltype ((g<int>)({parm#1})) f<int>(int)"},
};

TEST(kernels_of_numba_and_static_ones_are_named)
{
    struct stint_demangled_names kernels = {0};
    const char *name = stint_kernel_name(&kernels, "__nv_static_4__1_f__Z5scalePfi");
    assert_string_equal(name, "scale(float*, int)");
    assert_ptr_equal(stint_kernel_name(&kernels, "__nv_static_4__1_f__Z5scalePfi"), name);
    assert_string_equal(stint_kernel_name(&kernels, "_Z3addB2v1B4cw51i"), "add(int)");
    assert_string_equal(stint_kernel_name(&kernels, "sgemm_128x128"), "sgemm_128x128");
    stint_demangled_names_free(&kernels);
}

TEST(names_are_as_in_the_source)
{
    for (size_t i = 0; i < sizeof s_names / sizeof s_names[0]; i++) {
        struct stint_arena arena = {0};
        const char *name = stint_demangle(&arena, s_names[i].mangled);
        assert_non_null(name);
        assert_string_equal(name, s_names[i].name);
        stint_arena_free(&arena);
    }
}

/* A C++ runtime library refuses them. */
TEST(long_and_deep_names_are_read)
{
    enum { PAIRS = 500, DEEP = (1 << 14) - 5 };
    struct stint_arena arena = {0};
    char *mangled = calloc(PAIRS + 2, 8), *expected = calloc(PAIRS + 2, 8), *deep = calloc(1, DEEP + 6);
    strcpy(mangled, "_Z1fI");
    strcpy(expected, "void f<");
    for (size_t i = 0; i < PAIRS; i++) {
        strcat(mangled, "1AI1BE");
        strcat(expected, i ? ", A<B>" : "A<B>");
    }
    strcat(mangled, "EvT_");
    strcat(expected, " >(A<B>)");
    assert_string_equal(stint_demangle(&arena, mangled), expected);
    strcpy(deep, "_Z1f");
    memset(deep + 4, 'P', DEEP);
    deep[4 + DEEP] = 'i';
    (void)stint_demangle(&arena, deep);
    stint_arena_free(&arena);
    free(mangled);
    free(expected);
    free(deep);
}

TEST(what_is_no_mangled_name_is_left)
{
    static const char *const names[] = {"",        "main",   "_Z",       "_Z1",       "_Z3fo",   "_Z1fIiEvT0_",
                                        "_Z1fS9_", "_Z1fM",  "_Z1fIiE_", "_Z1fILiE",  "_Z-1",    "_R",
                                        "_Z1fXLi", "_ZZ1fv", "_ZN1fE1",  "_ZN1AC9Ev", "_RNvC1a", "foo(int)"};
    struct stint_arena arena = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_null(stint_demangle(&arena, names[i]));
}

TEST(no_beginning_of_a_name_is_read_beyond_its_end)
{
    for (size_t i = 0; i < sizeof s_names / sizeof s_names[0]; i++)
        for (size_t length = strlen(s_names[i].mangled); length-- > 0;) {
            struct stint_arena arena = {0};
            char *part = malloc(length + 1);
            memcpy(part, s_names[i].mangled, length);
            part[length] = '\0';
            (void)stint_demangle(&arena, part);
            free(part);
            stint_arena_free(&arena);
        }
}

TEST(names_of_rust_are_as_in_the_source)
{
    static const struct {
        const char *mangled, *name;
    } names[] = {
        {"_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE", "core::fmt::Formatter::write_str"},
        {"_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE",
         "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop"},
        {"_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function"},
        {"_RINvNtC3std3mem8align_ofhEC3foo", "std::mem::align_of::<u8>"},
        {"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y", "utf8_idents::საჭმელად_გემრიელი_სადილი"},
    };
    struct stint_arena arena = {0};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *name = stint_demangle(&arena, names[i].mangled);
        assert_non_null(name);
        assert_string_equal(name, names[i].name);
    }
    stint_arena_free(&arena);
}

/* Each part stands for twice the one before it. */
TEST(a_short_name_of_an_endless_one_is_left)
{
    struct stint_arena arena = {0};
    char mangled[1024] = "_Z1f1AIiiE";
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (size_t i = 0; i < 34; i++) {
        char part[] = "S_IS0_S0_E";
        part[4] = digits[i];
        part[7] = digits[i];
        strcat(mangled, part);
    }
    assert_null(stint_demangle(&arena, mangled));
    assert_null(stint_demangle(&arena, "_RNvC1aFGzzzzzzzz_EuE1b"));
    assert_string_equal(stint_demangle(&arena, "_Z1fv"), "f()");
    stint_arena_free(&arena);
}

/* Writes a name whose only parameter is A<P, P>, where P is the same one level lower, expanded as a pack that is not
 * there: libiberty looks for it in all of them before it writes the first. */
static void write_name_without_a_pack(char *mangled, size_t levels)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    strcpy(mangled, "_Z1fIJEEvDp1AI");
    for (size_t i = 1; i < levels; i++)
        strcat(mangled, "S0_I");
    strcat(mangled, "S0_IiiE");
    for (size_t i = 0; i < levels; i++) {
        char part[] = "S0_E";
        part[1] = digits[i + 1];
        strcat(mangled, part);
    }
}

/* A file may have as many of them as it likes. It must come last: then names are given up. */
TEST(names_that_take_too_long_are_given_up)
{
    struct stint_arena arena = {0};
    char mangled[1024];
    write_name_without_a_pack(mangled, 33);
    assert_null(stint_demangle(&arena, mangled));
    assert_string_equal(stint_demangle(&arena, "_Z1fv"), "f()");
    assert_null(stint_demangle(&arena, "_RC1aIC1bFGzzzzzzzz_EuE"));
    assert_string_equal(stint_demangle(&arena, "_Z1fv"), "f()");
    for (size_t i = 0; i < 30; i++)
        assert_null(stint_demangle(&arena, mangled));
    assert_null(stint_demangle(&arena, "_Z1fv"));
    stint_arena_free(&arena);
}
