	.file	"program.c"
	.text
	.p2align 4
	.type	write_text, @function
write_text:
	addq	%rdx, (%rdi)
	xorl	%eax, %eax
	ret
	.size	write_text, .-write_text
	.section	.rodata.str1.1,"aMS",@progbits,1
.LC0:
	.string	"program.c:%d: not as it was\n"
	.text
	.p2align 4
	.type	require.part.0, @function
require.part.0:
	subq	$8, %rsp
	movl	%edi, %esi
	leaq	.LC0(%rip), %rdi
	xorl	%eax, %eax
	call	printf@PLT
	movl	$1, s_failed(%rip)
	addq	$8, %rsp
	ret
	.size	require.part.0, .-require.part.0
	.p2align 4
	.type	stint_i_end, @function
stint_i_end:
	movq	%rsi, %rax
	movzbl	97(%rsi), %esi
	cmpb	$-1, %sil
	je	.L16
	movq	%rdx, %rcx
	movq	%rdx, %r9
	orq	$64, %rcx
	bsrq	%rcx, %rcx
	subl	$6, %ecx
	movl	%ecx, %r8d
	shrq	%cl, %r9
	subl	%esi, %r8d
	movq	%r9, %rcx
	movl	%r8d, %esi
	sall	$6, %esi
	addl	%esi, %ecx
	cmpl	$511, %ecx
	ja	.L8
	movzwl	98(%rax), %esi
	cmpw	$-1, 176(%rax,%rsi,2)
	je	.L8
.L6:
	cmpq	$0, 32(%rdi)
	jne	.L20
.L10:
	movq	32(%rax), %rsi
	pxor	%xmm1, %xmm1
	cvtsi2sdq	%rdx, %xmm1
	addq	$1, %rsi
	movq	%rsi, 32(%rax)
	movq	40(%rax), %rsi
	movapd	%xmm1, %xmm0
	mulsd	%xmm1, %xmm0
	addq	%rdx, %rsi
	movq	%rsi, 40(%rax)
	movq	72(%rax), %rsi
	movq	%rsi, %xmm2
	addsd	%xmm2, %xmm0
	movq	%xmm0, %rsi
	movq	%rsi, 72(%rax)
	movq	56(%rax), %rsi
	cmpq	%rsi, %rdx
	jb	.L21
.L13:
	movq	64(%rax), %rsi
	cmpq	%rdx, %rsi
	jb	.L22
.L14:
	cmpl	$512, %ecx
	je	.L15
	movzwl	98(%rax), %esi
	leal	88(%rsi), %r8d
	movzwl	176(%rax,%rsi,2), %esi
	movslq	%r8d, %r8
	addl	$1, %esi
	movw	%si, (%rax,%r8,2)
	movw	%cx, 98(%rax)
.L15:
	movq	(%rax), %rsi
	movq	48(%rax), %rcx
	movq	24(%rax), %r8
	addq	%rdx, %rcx
	subq	%r8, %rcx
	movq	%rcx, 48(%rax)
	movq	24(%rsi), %rcx
	addq	%rcx, %rdx
	movq	%rdx, 24(%rsi)
	movq	$0, 16(%rax)
	movl	$1, %eax
	movq	%rsi, 8(%rdi)
	ret
	.p2align 4,,10
	.p2align 3
.L16:
	movl	$512, %ecx
	jmp	.L6
	.p2align 4,,10
	.p2align 3
.L20:
	movq	16(%rax), %r8
	movl	40(%rdi), %esi
	testl	%esi, %esi
	jne	.L8
	movl	$1, 40(%rdi)
	movq	24(%rdi), %rsi
	cmpq	32(%rdi), %rsi
	je	.L23
	movq	%r8, (%rsi)
	addq	$24, %rsi
	movq	%rdx, -16(%rsi)
	movl	$0, -8(%rsi)
	movl	100(%rax), %r8d
	movl	%r8d, -4(%rsi)
	movq	%rsi, 24(%rdi)
	movl	$0, 40(%rdi)
	jmp	.L10
	.p2align 4,,10
	.p2align 3
.L21:
	movq	%rdx, 56(%rax)
	jmp	.L13
	.p2align 4,,10
	.p2align 3
.L22:
	movq	%rdx, 64(%rax)
	jmp	.L14
.L23:
	movl	$0, 40(%rdi)
.L8:
	xorl	%eax, %eax
	ret
	.size	stint_i_end, .-stint_i_end
	.section	.text.unlikely,"ax",@progbits
	.type	stint_i_leave_rarely, @function
stint_i_leave_rarely:
	pushq	%rbx
	movq	(%rsi), %rax
	movq	%rsi, %r10
	movq	16(%rsi), %rbx
	testq	%rbx, %rbx
	jne	.L25
	cmpq	8(%rdi), %rsi
	jne	.L25
	movq	24(%rax), %rdx
	movq	24(%rsi), %rcx
	addq	%rcx, %rdx
	movq	%rdx, 24(%rax)
	movq	%rax, 8(%rdi)
	jmp	.L24
.L25:
	cmpl	$0, 44(%rdi)
	jne	.L27
	cmpl	$0, 48(%rdi)
	jne	.L28
.L27:
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %r11
	jmp	.L29
.L28:
	rdtsc
	salq	$32, %rdx
	orq	%rdx, %rax
	movq	%rax, %r11
.L29:
	cmpq	8(%rdi), %r10
	je	.L30
.L31:
	movq	%r11, %rsi
	movq	%r10, %rdi
	popq	%rbx
	jmp	stint_i_leave_slow@PLT
.L30:
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%rdi)
	jne	.L31
	movq	16(%r10), %rax
	movq	%r11, %rbx
	subq	%rax, %rbx
	js	.L31
	movq	%rbx, %rdx
	movq	%r10, %rsi
	call	stint_i_end
	testl	%eax, %eax
	je	.L31
.L24:
	movq	%rbx, %rax
	popq	%rbx
	ret
	.size	stint_i_leave_rarely, .-stint_i_leave_rarely
	.type	stint_i_enter_rarely, @function
stint_i_enter_rarely:
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%rdx, %r8
	movq	%fs:(%rax), %rdx
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, 52(%rdx)
	jne	.L37
	movl	20(%rdi), %ecx
	movq	8(%rdx), %r9
	movl	12(%r9), %eax
	movl	4(%rdx), %r11d
	addl	%ecx, %eax
	notl	%ecx
	andl	%r11d, %eax
	movq	16(%rdx), %r10
	movq	(%r10,%rax,8), %rax
	cmpl	%ecx, 8(%rax)
	jne	.L37
	cmpq	(%rax), %r9
	jne	.L37
	movq	-16(%rax), %r9
	movq	-8(%rax), %rcx
	cmpq	%rcx, %r9
	jb	.L40
.L37:
	movq	%r8, %rdx
	jmp	stint_i_enter_slow@PLT
.L40:
	movq	%rax, 8(%rdx)
	movq	$0, 24(%rax)
	movq	-16(%rax), %rdx
	incq	%rdx
	movq	%rdx, -16(%rax)
	ret
	.size	stint_i_enter_rarely, .-stint_i_enter_rarely
	.section	.rodata.str1.1
.LC1:
	.string	"odd"
.LC2:
	.string	"even"
.LC3:
	.string	"set"
.LC4:
	.string	"step"
.LC5:
	.string	"inner"
.LC6:
	.string	"since"
.LC7:
	.string	"layer"
.LC8:
	.string	""
.LC11:
	.string	"timer"
.LC12:
	.string	"span"
.LC13:
	.string	"added"
.LC14:
	.string	"barrier"
.LC15:
	.string	"none"
.LC18:
	.string	"program"
	.section	.text.unlikely
.LCOLDB21:
	.section	.text.startup,"ax",@progbits
.LHOTB21:
	.p2align 4
	.globl	main
	.type	main, @function
main:
	pushq	%r15
	leaq	.LC3(%rip), %rdi
	pushq	%r14
	leaq	.LC1(%rip), %r14
	pushq	%r13
	leaq	.LC2(%rip), %r13
	pushq	%r12
	pushq	%rbp
	xorl	%ebp, %ebp
	pushq	%rbx
	subq	$216, %rsp
	call	stint_statset_get@PLT
	movq	%rax, 24(%rsp)
	leaq	160(%rsp), %rax
	movq	%rax, 16(%rsp)
	jmp	.L80
	.p2align 4,,10
	.p2align 3
.L188:
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rax
	cmpl	(%rax), %edx
	jne	.L44
	movl	20+stint_site_0.5(%rip), %ecx
	movq	8(%rax), %rsi
	movl	12(%rsi), %edx
	movl	4(%rax), %r8d
	addl	%ecx, %edx
	andl	%r8d, %edx
	movq	16(%rax), %rdi
	movq	(%rdi,%rdx,8), %r15
	cmpl	8(%r15), %ecx
	jne	.L44
	cmpq	(%r15), %rsi
	jne	.L44
	movq	%r15, 8(%rax)
	movq	$0, 24(%r15)
#APP
# 160 "../../include/stint/detail/record.h" 1
	mov %rsp, 104(%r15)
# 0 "" 2
#NO_APP
	rdtsc
	salq	$32, %rdx
	orq	%rdx, %rax
	movq	%rax, 16(%r15)
.L43:
	movl	stint_i_state(%rip), %edx
	testl	%edx, %edx
	je	.L46
	movq	stint_i_self_1@gottpoff(%rip), %rcx
	movq	%fs:(%rcx), %rax
	cmpl	(%rax), %edx
	jne	.L47
	movl	20+stint_site_1.4(%rip), %esi
	movq	8(%rax), %rdi
	movl	12(%rdi), %edx
	movl	4(%rax), %r10d
	addl	%esi, %edx
	andl	%r10d, %edx
	movq	16(%rax), %r8
	movq	(%r8,%rdx,8), %r10
	cmpl	8(%r10), %esi
	jne	.L47
	cmpq	(%r10), %rdi
	jne	.L47
	movq	%r10, 8(%rax)
	movq	$0, 24(%r10)
#APP
# 160 "../../include/stint/detail/record.h" 1
	mov %rsp, 104(%r10)
# 0 "" 2
#NO_APP
	rdtsc
	salq	$32, %rdx
	orq	%rdx, %rax
	movq	%rax, 16(%r10)
.L48:
	movq	%fs:(%rcx), %rdi
	movl	44(%rdi), %r8d
	testl	%r8d, %r8d
	je	.L179
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %r11
	cmpq	%r10, 8(%rdi)
	jne	.L52
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%rdi)
	jne	.L52
	movq	16(%r10), %rax
	subq	%rax, %rdx
	js	.L52
	movq	%r10, %rsi
	call	stint_i_end
	testl	%eax, %eax
	je	.L52
.L46:
	xorl	%edx, %edx
	movq	%rbx, %rsi
	leaq	stint_site_2.3(%rip), %rdi
	call	stint_i_enter_dynamic@PLT
	movq	%rax, %r12
	call	stint_now_us@PLT
	xorl	%edx, %edx
	leaq	.LC6(%rip), %rsi
	leaq	stint_site_3.2(%rip), %rdi
	movq	%rax, %rcx
	call	stint_i_enter_since@PLT
	movq	%rax, %r10
	testq	%rax, %rax
	je	.L54
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rdi
	movl	44(%rdi), %esi
	testl	%esi, %esi
	je	.L180
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %r11
	cmpq	8(%rdi), %r10
	jne	.L57
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%rdi)
	jne	.L57
	movq	16(%r10), %rax
	subq	%rax, %rdx
	js	.L57
	movq	%r10, %rsi
	call	stint_i_end
	testl	%eax, %eax
	je	.L57
.L54:
	testq	%r12, %r12
	je	.L60
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rdi
	movl	44(%rdi), %ecx
	testl	%ecx, %ecx
	je	.L181
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %r10
	cmpq	8(%rdi), %r12
	jne	.L63
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%rdi)
	jne	.L63
	movq	16(%r12), %rax
	subq	%rax, %rdx
	js	.L63
	movq	%r12, %rsi
	call	stint_i_end
	testl	%eax, %eax
	je	.L63
.L60:
	movl	stint_i_state(%rip), %edx
	testl	%edx, %edx
	je	.L66
	movq	stint_i_self_1@gottpoff(%rip), %rcx
	movq	%fs:(%rcx), %rax
	cmpl	(%rax), %edx
	jne	.L67
	movl	20+stint_site_4.1(%rip), %esi
	movq	8(%rax), %rdi
	movl	12(%rdi), %edx
	movl	4(%rax), %r10d
	addl	%esi, %edx
	andl	%r10d, %edx
	movq	16(%rax), %r8
	movq	(%r8,%rdx,8), %r12
	cmpl	8(%r12), %esi
	jne	.L67
	cmpq	(%r12), %rdi
	jne	.L67
	movq	%r12, 8(%rax)
	movq	$0, 24(%r12)
#APP
# 160 "../../include/stint/detail/record.h" 1
	mov %rsp, 104(%r12)
# 0 "" 2
#NO_APP
	rdtsc
	salq	$32, %rdx
	orq	%rdx, %rax
	movq	%rax, 16(%r12)
.L68:
	movl	160(%r12), %eax
	movl	%eax, 8(%rsp)
	movq	%fs:(%rcx), %rdi
	movl	44(%rdi), %edx
	testl	%edx, %edx
	je	.L182
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %r10
	cmpq	%r12, 8(%rdi)
	jne	.L73
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%rdi)
	jne	.L73
	movq	16(%r12), %rax
	movq	%rdx, %r11
	subq	%rax, %r11
	js	.L73
	movq	%r11, %rdx
	movq	%r12, %rsi
	call	stint_i_end
	testl	%eax, %eax
	je	.L73
.L71:
	movq	stint_i_ticks_per_us(%rip), %rax
	imulq	$10000000, %rax, %rax
	cmpq	%rax, %r11
	jnb	.L186
.L66:
	testq	%r15, %r15
	je	.L75
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rdi
	movl	44(%rdi), %eax
	testl	%eax, %eax
	je	.L183
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %r10
	cmpq	8(%rdi), %r15
	jne	.L78
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%rdi)
	jne	.L78
	movq	16(%r15), %rax
	subq	%rax, %rdx
	js	.L78
	movq	%r15, %rsi
	call	stint_i_end
	testl	%eax, %eax
	je	.L78
.L75:
	addl	$1, %ebp
	cmpl	$1000, %ebp
	je	.L187
.L80:
	movl	stint_i_state(%rip), %edx
	testb	$1, %bpl
	movq	%r13, %rbx
	cmovne	%r14, %rbx
	testl	%edx, %edx
	jne	.L188
	xorl	%r15d, %r15d
	jmp	.L43
	.p2align 4,,10
	.p2align 3
.L78:
	movq	%r10, %rsi
	movq	%r15, %rdi
	addl	$1, %ebp
	call	stint_i_leave_slow@PLT
	cmpl	$1000, %ebp
	jne	.L80
.L187:
	leaq	.LC8(%rip), %rbx
	xorl	%edx, %edx
	leaq	stint_site_5.7(%rip), %rdi
	movq	%rbx, %rsi
	call	stint_i_enter_dynamic@PLT
	movq	%rax, %r10
	testq	%rax, %rax
	je	.L82
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%fs:(%rax), %rdi
	cmpl	$0, 44(%rdi)
	je	.L184
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %r11
	cmpq	8(%rdi), %r10
	jne	.L85
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%rdi)
	jne	.L85
	movq	16(%r10), %rax
	subq	%rax, %rdx
	js	.L85
	movq	%r10, %rsi
	call	stint_i_end
	testl	%eax, %eax
	je	.L85
.L82:
	pxor	%xmm0, %xmm0
	movq	%rbx, 168(%rsp)
	movq	.LC10(%rip), %rax
	leaq	48(%rsp), %rbx
	movaps	%xmm0, 64(%rsp)
	pxor	%xmm0, %xmm0
	movq	24(%rsp), %rdx
	movq	%rbx, %rdi
	movaps	%xmm0, 176(%rsp)
	movsd	.LC10(%rip), %xmm0
	leaq	.LC11(%rip), %rsi
	movq	$0, 48(%rsp)
	unpcklpd	%xmm0, %xmm0
	movl	$0, 56(%rsp)
	movq	$0, 80(%rsp)
	movq	$0, 108(%rsp)
	movl	$0, 116(%rsp)
	movq	$24, 96(%rsp)
	movl	$1, 104(%rsp)
	movq	$0, 192(%rsp)
	movq	$40, 160(%rsp)
	movq	$1, 128(%rsp)
	movq	%rax, 152(%rsp)
	movups	%xmm0, 136(%rsp)
	call	stint_timer_start@PLT
	testl	%eax, %eax
	jne	.L89
	movq	%rbx, %rdi
	call	stint_timer_stop@PLT
	testl	%eax, %eax
	jne	.L89
.L88:
	leaq	64(%rsp), %rbx
	xorl	%edx, %edx
	leaq	.LC12(%rip), %rsi
	movq	%rbx, %rdi
	call	stint_gpu_span_begin@PLT
	testl	%eax, %eax
	jne	.L92
	movq	%rbx, %rdi
	call	stint_gpu_span_end@PLT
	testl	%eax, %eax
	jne	.L92
.L91:
	call	stint_token_take@PLT
	leaq	40(%rsp), %rbx
	movl	%eax, %esi
	movq	%rbx, %rdi
	call	stint_adopt_begin@PLT
	testl	%eax, %eax
	jne	.L95
	movq	%rbx, %rdi
	call	stint_adopt_end@PLT
	testl	%eax, %eax
	jne	.L95
.L94:
	leaq	.LC13(%rip), %rbp
	movq	24(%rsp), %rdi
	movl	$5000, %edx
	movq	%rbp, %rsi
	call	stint_statset_add@PLT
	testl	%eax, %eax
	jne	.L189
.L96:
	movq	24(%rsp), %r13
	xorl	%r12d, %r12d
	leaq	.LC14(%rip), %rbx
.L98:
	movq	%r12, %rcx
	movl	$3, %edx
	movq	%rbx, %rsi
	movq	%r13, %rdi
	call	stint_barrier_arrive@PLT
	testl	%eax, %eax
	jne	.L190
.L97:
	addq	$1, %r12
	cmpq	$3, %r12
	jne	.L98
	leaq	96(%rsp), %rbx
	movq	%rbx, %rdi
	call	stint_gpu_start@PLT
	testl	%eax, %eax
	je	.L191
.L99:
	movq	16(%rsp), %rdi
	call	stint_counters_start@PLT
	testl	%eax, %eax
	je	.L192
.L100:
	leaq	128(%rsp), %rax
	xorl	%esi, %esi
	xorl	%edi, %edi
	movq	%rax, %rcx
	leaq	.LC15(%rip), %rdx
	movq	%rax, 8(%rsp)
	call	stint_counters_read@PLT
	cmpl	$2, %eax
	jne	.L193
.L101:
	cmpq	$0, 128(%rsp)
	jne	.L102
	pxor	%xmm0, %xmm0
	ucomisd	152(%rsp), %xmm0
	jp	.L102
	jne	.L102
.L103:
	movq	%rbx, %rdi
	call	stint_snapshot_take@PLT
	testl	%eax, %eax
	jne	.L194
.L105:
	movq	96(%rsp), %rbx
	movq	.LC17(%rip), %rax
	pxor	%xmm0, %xmm0
	xorl	%esi, %esi
	leaq	.LC4(%rip), %rdx
	movups	%xmm0, 172(%rsp)
	movq	%rbx, %rdi
	movl	$0, 188(%rsp)
	movq	$40, 160(%rsp)
	movl	$80, 168(%rsp)
	movl	$6, 180(%rsp)
	movq	%rax, 192(%rsp)
	call	stint_snapshot_find@PLT
	movq	%rbp, %rdx
	leaq	.LC3(%rip), %rsi
	movq	%rbx, %rdi
	movq	%rax, %r12
	call	stint_snapshot_find@PLT
	movq	$0, 128(%rsp)
	cmpq	$1431, (%rbx)
	movq	%rax, %rbp
	jbe	.L195
.L106:
	testq	%r12, %r12
	je	.L107
	cmpq	$1000, 40(%r12)
	je	.L196
.L108:
	movl	$79, %edi
	call	require.part.0
.L109:
	cmpq	$0, 160(%r12)
	je	.L111
	movq	152(%r12), %rax
	cmpq	$0, 8(%rax)
	je	.L111
	cmpq	$0, 208(%r12)
	je	.L112
.L111:
	movl	$80, %edi
	call	require.part.0
.L112:
	cmpq	$0, 232(%r12)
	je	.L197
.L110:
	movl	$81, %edi
	call	require.part.0
.L113:
	testq	%rbp, %rbp
	je	.L114
	cmpq	$5000, 56(%rbp)
	je	.L198
.L114:
	movl	$82, %edi
	call	require.part.0
.L115:
	movq	336(%rbx), %rax
	testq	%rax, %rax
	je	.L116
	imulq	$408, %rax, %rax
	movq	328(%rbx), %rcx
	xorl	%r14d, %r14d
	movq	312(%rbx), %r12
	leaq	.LC5(%rip), %r13
	movq	%rcx, 24(%rsp)
	movq	%rcx, %r15
	leaq	(%rax,%rcx), %rbp
	jmp	.L118
	.p2align 4,,10
	.p2align 3
.L117:
	addq	$408, %r15
	cmpq	%rbp, %r15
	je	.L199
.L118:
	movq	(%r15), %rax
	movq	%r13, %rsi
	leaq	(%rax,%rax,2), %rax
	leaq	(%rax,%rax,8), %rax
	salq	$4, %rax
	movq	8(%r12,%rax), %rdi
	call	strcmp@PLT
	testl	%eax, %eax
	jne	.L117
	xorl	%r14d, %r14d
	cmpq	$1000, 24(%r15)
	jne	.L117
	cmpl	$1, 16(%r15)
	jne	.L117
	imulq	$408, 8(%r15), %rax
	movq	24(%rsp), %rcx
	xorl	%r14d, %r14d
	imulq	$432, (%rcx,%rax), %rax
	cmpq	$1000, 40(%r12,%rax)
	sete	%r14b
	jmp	.L117
	.p2align 4,,10
	.p2align 3
.L52:
	movq	%r11, %rsi
	movq	%r10, %rdi
	call	stint_i_leave_slow@PLT
	jmp	.L46
	.p2align 4,,10
	.p2align 3
.L73:
	movq	%r10, %rsi
	movq	%r12, %rdi
	call	stint_i_leave_slow@PLT
	movq	%rax, %r11
	jmp	.L71
	.p2align 4,,10
	.p2align 3
.L57:
	movq	%r11, %rsi
	movq	%r10, %rdi
	call	stint_i_leave_slow@PLT
	jmp	.L54
	.p2align 4,,10
	.p2align 3
.L63:
	movq	%r10, %rsi
	movq	%r12, %rdi
	call	stint_i_leave_slow@PLT
	jmp	.L60
	.p2align 4,,10
	.p2align 3
.L186:
	movl	8(%rsp), %esi
	movq	16(%rsp), %rdi
	movq	%r11, %rdx
	leaq	stint_site_4.1(%rip), %rax
	movq	%r12, 160(%rsp)
	movq	%rax, 168(%rsp)
	movq	%rbx, 176(%rsp)
	movq	$10000000, 184(%rsp)
	call	stint_i_report_slow@PLT
	jmp	.L66
.L102:
	movl	$66, %edi
	call	require.part.0
	jmp	.L103
.L95:
	movl	$58, %edi
	call	require.part.0
	jmp	.L94
.L92:
	movl	$57, %edi
	call	require.part.0
	jmp	.L91
.L89:
	movl	$56, %edi
	call	require.part.0
	jmp	.L88
.L190:
	movl	$61, %edi
	call	require.part.0
	jmp	.L97
.L199:
	testl	%r14d, %r14d
	je	.L116
.L119:
	cmpq	$2, 304(%rbx)
	jne	.L120
	movq	296(%rbx), %rax
	leaq	.LC3(%rip), %rsi
	movq	8(%rax), %rdi
	call	strcmp@PLT
	testl	%eax, %eax
	jne	.L120
.L121:
	cmpq	$1, 352(%rbx)
	jne	.L122
	movq	344(%rbx), %rax
	cmpq	$0, 8(%rax)
	je	.L122
.L123:
	cmpq	$1, 896(%rbx)
	jne	.L124
	movq	888(%rbx), %rax
	cmpq	$1, 32(%rax)
	je	.L125
.L124:
	movl	$93, %edi
	call	require.part.0
.L125:
	movsd	80(%rbx), %xmm1
	pxor	%xmm0, %xmm0
	comisd	%xmm0, %xmm1
	jbe	.L126
	movq	40(%rbx), %rdi
	leaq	.LC18(%rip), %rsi
	call	strstr@PLT
	testq	%rax, %rax
	je	.L126
.L128:
	cmpq	$1, 440(%rbx)
	jne	.L129
	cmpq	$0, 640(%rbx)
	jne	.L129
.L130:
	cmpq	$0, 1424(%rbx)
	jne	.L131
	cmpq	$0, 1216(%rbx)
	je	.L200
.L131:
	movl	$96, %edi
	call	require.part.0
.L132:
	movq	8(%rsp), %r8
	movq	16(%rsp), %rdx
	xorl	%esi, %esi
	movq	%rbx, %rdi
	leaq	write_text(%rip), %rcx
	call	stint_report_write@PLT
	testl	%eax, %eax
	jne	.L133
	cmpq	$400, 128(%rsp)
	jbe	.L133
.L134:
	movq	96(%rsp), %rdi
	call	stint_snapshot_free@PLT
	movl	s_failed(%rip), %eax
	addq	$216, %rsp
	popq	%rbx
	popq	%rbp
	popq	%r12
	popq	%r13
	popq	%r14
	popq	%r15
	ret
.L133:
	movl	$97, %edi
	call	require.part.0
	jmp	.L134
.L129:
	movl	$95, %edi
	call	require.part.0
	jmp	.L130
.L122:
	movl	$92, %edi
	call	require.part.0
	jmp	.L123
.L120:
	movl	$91, %edi
	call	require.part.0
	jmp	.L121
.L197:
	movq	24(%r12), %rdi
	leaq	.LC4(%rip), %rsi
	call	strcmp@PLT
	testl	%eax, %eax
	je	.L113
	jmp	.L110
.L200:
	cmpl	$0, 1240(%rbx)
	je	.L132
	jmp	.L131
.L126:
	movl	$94, %edi
	call	require.part.0
	jmp	.L128
.L189:
	movl	$59, %edi
	call	require.part.0
	jmp	.L96
.L192:
	movl	$64, %edi
	call	require.part.0
	jmp	.L100
.L191:
	call	stint_gpu_stop@PLT
	jmp	.L99
.L116:
	movl	$90, %edi
	call	require.part.0
	jmp	.L119
.L195:
	movl	$78, %edi
	call	require.part.0
	jmp	.L106
.L194:
	movl	$111, %edi
	call	require.part.0
	jmp	.L105
.L193:
	movl	$65, %edi
	call	require.part.0
	jmp	.L101
.L198:
	movq	0(%rbp), %rdi
	leaq	.LC3(%rip), %rsi
	call	strcmp@PLT
	testl	%eax, %eax
	je	.L115
	jmp	.L114
.L196:
	movq	56(%r12), %rax
	cmpq	%rax, 64(%r12)
	jb	.L109
	jmp	.L108
.L85:
	movq	%r11, %rsi
	movq	%r10, %rdi
	call	stint_i_leave_slow@PLT
	jmp	.L82
.L107:
	movl	$79, %edi
	call	require.part.0
	movl	$80, %edi
	call	require.part.0
	jmp	.L110
	.section	.text.unlikely
	.type	main.cold, @function
main.cold:
.L184:
	movq	%r10, %rsi
	call	stint_i_leave_rarely
	jmp	.L82
.L67:
	xorl	%edx, %edx
	leaq	.LC7(%rip), %rsi
	movq	%rcx, 8(%rsp)
	leaq	stint_site_4.1(%rip), %rdi
	call	stint_i_enter_rarely
	movq	8(%rsp), %rcx
	testq	%rax, %rax
	movq	%rax, %r12
	je	.L66
	jmp	.L68
.L181:
	movq	%r12, %rsi
	call	stint_i_leave_rarely
	jmp	.L60
.L180:
	movq	%r10, %rsi
	call	stint_i_leave_rarely
	jmp	.L54
.L179:
	movq	%r10, %rsi
	call	stint_i_leave_rarely
	jmp	.L46
.L183:
	movq	%r15, %rsi
	call	stint_i_leave_rarely
	jmp	.L75
.L182:
	movq	%r12, %rsi
	call	stint_i_leave_rarely
	movq	%rax, %r11
	jmp	.L71
.L47:
	movq	24(%rsp), %rdx
	leaq	.LC5(%rip), %rsi
	movq	%rcx, 8(%rsp)
	leaq	stint_site_1.4(%rip), %rdi
	call	stint_i_enter_rarely
	movq	8(%rsp), %rcx
	testq	%rax, %rax
	movq	%rax, %r10
	je	.L46
	jmp	.L48
.L44:
	xorl	%edx, %edx
	leaq	.LC4(%rip), %rsi
	leaq	stint_site_0.5(%rip), %rdi
	call	stint_i_enter_rarely
	movq	%rax, %r15
	jmp	.L43
	.section	.text.startup
	.size	main, .-main
	.section	.text.unlikely
	.size	main.cold, .-main.cold
.LCOLDE21:
	.section	.text.startup
.LHOTE21:
	.section	.rodata
	.type	__func__.0, @object
	.size	__func__.0, 5
__func__.0:
	.string	"step"
	.section	.rodata.str1.1
.LC22:
	.string	"program.c"
	.section	.data.rel.local,"aw"
	.align 16
	.type	stint_site_4.1, @object
	.size	stint_site_4.1, 24
stint_site_4.1:
	.quad	.LC22
	.quad	__func__.0
	.long	37
	.long	0
	.align 16
	.type	stint_site_3.2, @object
	.size	stint_site_3.2, 24
stint_site_3.2:
	.quad	.LC22
	.quad	__func__.0
	.long	35
	.long	0
	.align 16
	.type	stint_site_2.3, @object
	.size	stint_site_2.3, 24
stint_site_2.3:
	.quad	.LC22
	.quad	__func__.0
	.long	34
	.long	0
	.align 16
	.type	stint_site_1.4, @object
	.size	stint_site_1.4, 24
stint_site_1.4:
	.quad	.LC22
	.quad	__func__.0
	.long	31
	.long	0
	.align 16
	.type	stint_site_0.5, @object
	.size	stint_site_0.5, 24
stint_site_0.5:
	.quad	.LC22
	.quad	__func__.0
	.long	29
	.long	0
	.section	.rodata
	.type	__func__.6, @object
	.size	__func__.6, 5
__func__.6:
	.string	"main"
	.section	.data.rel.local
	.align 16
	.type	stint_site_5.7, @object
	.size	stint_site_5.7, 24
stint_site_5.7:
	.quad	.LC22
	.quad	__func__.6
	.long	108
	.long	0
	.local	s_failed
	.comm	s_failed,4,4
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC10:
	.long	0
	.long	1072693248
	.align 8
.LC17:
	.long	0
	.long	1071644672
	.section	.note.GNU-stack,"",@progbits
