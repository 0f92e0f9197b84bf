	.file	"program.c"
	.text
	.p2align 4
	.type	write_text, @function
write_text:
	addq	%rdx, (%rdi)
	xorl	%eax, %eax
	ret
	.size	write_text, .-write_text
	.section	.text.unlikely,"ax",@progbits
	.type	stint_i_enter_rarely, @function
stint_i_enter_rarely:
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%rdx, %r8
	movq	%fs:(%rax), %rdx
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, 52(%rdx)
	jne	.L4
	movl	20(%rdi), %ecx
	movq	8(%rdx), %r9
	movl	56(%rdx), %eax
	movl	4(%rdx), %r11d
	addl	%ecx, %eax
	notl	%ecx
	andl	%r11d, %eax
	movq	16(%rdx), %r10
	movq	(%r10,%rax,8), %rax
	cmpl	%ecx, 8(%rax)
	jne	.L4
	cmpq	(%rax), %r9
	jne	.L4
	movq	-16(%rax), %r9
	movq	-8(%rax), %rcx
	cmpq	%rcx, %r9
	jb	.L7
.L4:
	movq	%r8, %rdx
	jmp	stint_i_enter_slow@PLT
.L7:
	movq	%rax, 8(%rdx)
	movl	12(%rax), %ecx
	movl	%ecx, 56(%rdx)
	movq	$0, 24(%rax)
#APP
# 391 "../../include/stint/detail/record.h" 1
	addq $1, -16(%rax)
# 0 "" 2
#NO_APP
	ret
	.size	stint_i_enter_rarely, .-stint_i_enter_rarely
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
	.section	.text.unlikely
.LCOLDB1:
	.text
.LHOTB1:
	.p2align 4
	.type	stint_i_leave_node, @function
stint_i_leave_node:
	movq	stint_i_self_1@gottpoff(%rip), %rax
	movq	%fs:(%rax), %r8
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, 60(%r8)
	jne	.L47
#APP
# 414 "../../include/stint/detail/record.h" 1
	rdtscp
	sub 16(%rdi), %eax
	sbb 20(%rdi), %edx
# 0 "" 2
#NO_APP
	movq	%rax, %r10
	cmpq	%rdi, 8(%r8)
	jne	.L26
	testq	%rdx, %rdx
	jne	.L26
	movzbl	97(%rdi), %esi
	cmpl	$255, %esi
	je	.L27
	movq	%rax, %rcx
	orq	$64, %rcx
	bsrq	%rcx, %rcx
	subl	$6, %ecx
	movl	%ecx, %r9d
	subl	%esi, %r9d
	movq	%rax, %rsi
	shrq	%cl, %rsi
	sall	$6, %r9d
	movq	%rsi, %rcx
	addl	%r9d, %ecx
	cmpl	$511, %ecx
	ja	.L26
	movzwl	98(%rdi), %esi
	leaq	176(%rdi,%rsi,2), %rsi
#APP
# 233 "../../include/stint/detail/record.h" 1
	addw $1, (%rsi)
# 0 "" 2
#NO_APP
	jc	.L48
	movw	%cx, 98(%rdi)
.L27:
	pxor	%xmm0, %xmm0
	cvtsi2sdq	%rax, %xmm0
#APP
# 270 "../../include/stint/detail/record.h" 1
	addq $1, 32(%rdi)
# 0 "" 2
# 271 "../../include/stint/detail/record.h" 1
	addq %rax, 40(%rdi)
# 0 "" 2
#NO_APP
	mulsd	%xmm0, %xmm0
	addsd	72(%rdi), %xmm0
	movsd	%xmm0, 72(%rdi)
	cmpq	56(%rdi), %rax
	jb	.L49
.L29:
	cmpq	%rax, 64(%rdi)
	jb	.L50
.L30:
	movq	(%rdi), %rdx
	movq	%rax, %rcx
	subq	24(%rdi), %rcx
#APP
# 321 "../../include/stint/detail/record.h" 1
	addq %rcx, 48(%rdi)
# 0 "" 2
# 322 "../../include/stint/detail/record.h" 1
	addq %rax, 24(%rdx)
# 0 "" 2
#NO_APP
	movq	$0, 16(%rdi)
	movq	(%rdi), %rax
	movq	%rax, 8(%r8)
	movl	92(%rdi), %eax
	movl	%eax, 56(%r8)
.L10:
	movq	%r10, %rax
	ret
	.p2align 4,,10
	.p2align 3
.L48:
	movw	$-1, (%rsi)
	.p2align 4,,10
	.p2align 3
.L26:
	movq	16(%rdi), %rcx
	salq	$32, %rdx
	addq	%rax, %rdx
	leaq	(%rdx,%rcx), %rsi
.L46:
	jmp	stint_i_leave_slow@PLT
	.p2align 4,,10
	.p2align 3
.L47:
	movl	44(%r8), %ecx
	testl	%ecx, %ecx
	je	.L12
.L16:
#APP
# 36 "../../include/stint/detail/clock.h" 1
	rdtscp
# 0 "" 2
#NO_APP
	salq	$32, %rdx
	orq	%rax, %rdx
	movq	%rdx, %rsi
.L13:
	movq	16(%rdi), %rax
	movq	%rsi, %r10
	subq	%rax, %r10
	cmpq	8(%r8), %rdi
	jne	.L46
	movl	stint_i_state(%rip), %eax
	cmpl	%eax, (%r8)
	jne	.L46
	testq	%r10, %r10
	js	.L46
	cmpq	$0, 32(%r8)
	movzbl	97(%rdi), %eax
	jne	.L51
.L18:
	movzbl	97(%rdi), %edx
	cmpl	$255, %edx
	je	.L22
	movq	%r10, %rcx
	orq	$64, %rcx
	bsrq	%rcx, %rcx
	subl	$6, %ecx
	movl	%ecx, %eax
	subl	%edx, %eax
	movq	%r10, %rdx
	sall	$6, %eax
	shrq	%cl, %rdx
	addl	%edx, %eax
	cmpl	$511, %eax
	ja	.L46
	movzwl	98(%rdi), %edx
	leaq	176(%rdi,%rdx,2), %rdx
#APP
# 233 "../../include/stint/detail/record.h" 1
	addw $1, (%rdx)
# 0 "" 2
#NO_APP
	jc	.L52
	movw	%ax, 98(%rdi)
.L22:
	pxor	%xmm0, %xmm0
	cvtsi2sdq	%r10, %xmm0
#APP
# 270 "../../include/stint/detail/record.h" 1
	addq $1, 32(%rdi)
# 0 "" 2
# 271 "../../include/stint/detail/record.h" 1
	addq %r10, 40(%rdi)
# 0 "" 2
#NO_APP
	mulsd	%xmm0, %xmm0
	addsd	72(%rdi), %xmm0
	movsd	%xmm0, 72(%rdi)
	cmpq	56(%rdi), %r10
	jb	.L53
.L24:
	cmpq	%r10, 64(%rdi)
	jb	.L54
.L25:
	movq	(%rdi), %rax
	movq	%r10, %rdx
	subq	24(%rdi), %rdx
#APP
# 321 "../../include/stint/detail/record.h" 1
	addq %rdx, 48(%rdi)
# 0 "" 2
# 322 "../../include/stint/detail/record.h" 1
	addq %r10, 24(%rax)
# 0 "" 2
#NO_APP
	movq	$0, 16(%rdi)
	movq	(%rdi), %rax
	movq	%rax, 8(%r8)
	movl	92(%rdi), %eax
	movl	%eax, 56(%r8)
	jmp	.L10
	.p2align 4,,10
	.p2align 3
.L49:
	movq	%rax, 56(%rdi)
	jmp	.L29
	.p2align 4,,10
	.p2align 3
.L50:
	movq	%rax, 64(%rdi)
	jmp	.L30
.L52:
	movw	$-1, (%rdx)
	jmp	.L46
.L51:
	cmpb	$-1, %al
	je	.L19
	movq	%r10, %rdx
	orq	$64, %rdx
	bsrq	%rdx, %rdx
	leal	-6(%rdx), %ecx
	movl	%ecx, %edx
	subl	%eax, %edx
	movl	%edx, %eax
	movq	%r10, %rdx
	sall	$6, %eax
	shrq	%cl, %rdx
	addl	%edx, %eax
	cmpl	$511, %eax
	ja	.L46
	movzwl	98(%rdi), %eax
	cmpw	$-1, 176(%rdi,%rax,2)
	jne	.L19
	jmp	.L46
.L53:
	movq	%r10, 56(%rdi)
	jmp	.L24
.L54:
	movq	%r10, 64(%rdi)
	jmp	.L25
	.section	.text.unlikely
	.type	stint_i_leave_node.cold, @function
stint_i_leave_node.cold:
.L19:
	movq	16(%rdi), %rdx
	cmpl	$0, 40(%r8)
	jne	.L46
	movl	$1, 40(%r8)
	movq	24(%r8), %rax
	cmpq	32(%r8), %rax
	jne	.L20
	xorl	%edx, %edx
	movl	%edx, 40(%r8)
	jmp	.L46
.L12:
	movq	(%rdi), %rax
	movq	16(%rdi), %r10
	testq	%r10, %r10
	je	.L55
.L14:
	cmpl	$0, 44(%r8)
	jne	.L16
	cmpl	$0, 48(%r8)
	je	.L16
	rdtsc
	salq	$32, %rdx
	orq	%rdx, %rax
	movq	%rax, %rsi
	jmp	.L13
.L55:
	cmpq	8(%r8), %rdi
	jne	.L14
	movq	24(%rdi), %rdx
#APP
# 403 "../../include/stint/detail/record.h" 1
	addq %rdx, 24(%rax)
# 0 "" 2
#NO_APP
	movq	(%rdi), %rax
	movq	%rax, 8(%r8)
	movl	92(%rdi), %eax
	movl	%eax, 56(%r8)
	jmp	.L10
.L20:
	movq	%rdx, (%rax)
	addq	$24, %rax
	movq	%r10, -16(%rax)
	movl	$0, -8(%rax)
	movl	100(%rdi), %edx
	movl	%edx, -4(%rax)
	movq	%rax, 24(%r8)
	xorl	%eax, %eax
	movl	%eax, 40(%r8)
	jmp	.L18
	.text
	.size	stint_i_leave_node, .-stint_i_leave_node
	.section	.text.unlikely
	.size	stint_i_leave_node.cold, .-stint_i_leave_node.cold
.LCOLDE1:
	.text
.LHOTE1:
	.section	.rodata.str1.1
.LC2:
	.string	"odd"
.LC3:
	.string	"even"
.LC4:
	.string	"set"
.LC5:
	.string	"step"
.LC6:
	.string	"inner"
.LC7:
	.string	"since"
.LC8:
	.string	"layer"
.LC9:
	.string	""
.LC12:
	.string	"timer"
.LC13:
	.string	"span"
.LC14:
	.string	"added"
.LC15:
	.string	"barrier"
.LC16:
	.string	"none"
.LC19:
	.string	"program"
	.section	.text.unlikely
.LCOLDB22:
	.section	.text.startup,"ax",@progbits
.LHOTB22:
	.p2align 4
	.globl	main
	.type	main, @function
main:
	pushq	%r15
	leaq	.LC4(%rip), %rdi
	leaq	.LC2(%rip), %r15
	pushq	%r14
	pushq	%r13
	pushq	%r12
	pushq	%rbp
	xorl	%ebp, %ebp
	pushq	%rbx
	subq	$216, %rsp
	call	stint_statset_get@PLT
	movq	stint_i_self_1@gottpoff(%rip), %r12
	movq	%rax, 24(%rsp)
	leaq	160(%rsp), %rax
	movq	%rax, 16(%rsp)
	jmp	.L77
	.p2align 4,,10
	.p2align 3
.L176:
	movl	20+stint_site_0.5(%rip), %ecx
	movq	8(%rax), %r9
	movl	56(%rax), %edx
	movl	4(%rax), %edi
	addl	%ecx, %edx
	andl	%edi, %edx
	movq	16(%rax), %rsi
	movq	(%rsi,%rdx,8), %r14
	cmpl	8(%r14), %ecx
	jne	.L61
	cmpq	(%r14), %r9
	jne	.L61
	movq	%r14, 8(%rax)
	movl	12(%r14), %edx
	movl	%edx, 56(%rax)
	rdtsc
	movq	$0, 24(%r14)
	salq	$32, %rdx
	orq	%rdx, %rax
#APP
# 165 "../../include/stint/detail/record.h" 1
	mov %rsp, 104(%r14)
# 0 "" 2
#NO_APP
	movq	%rax, 16(%r14)
.L60:
	movq	%fs:(%r12), %rax
	movl	stint_i_state(%rip), %edx
	cmpl	(%rax), %edx
	jne	.L62
.L177:
	movl	20+stint_site_1.4(%rip), %ecx
	movq	8(%rax), %r9
	movl	56(%rax), %edx
	movl	4(%rax), %edi
	addl	%ecx, %edx
	andl	%edi, %edx
	movq	16(%rax), %rsi
	movq	(%rsi,%rdx,8), %rdi
	cmpl	8(%rdi), %ecx
	jne	.L66
	cmpq	(%rdi), %r9
	jne	.L66
	movq	%rdi, 8(%rax)
	movl	12(%rdi), %edx
	movl	%edx, 56(%rax)
	rdtsc
	movq	$0, 24(%rdi)
	salq	$32, %rdx
	orq	%rdx, %rax
#APP
# 165 "../../include/stint/detail/record.h" 1
	mov %rsp, 104(%rdi)
# 0 "" 2
#NO_APP
	movq	%rax, 16(%rdi)
.L64:
	call	stint_i_leave_node
.L67:
	xorl	%edx, %edx
	movq	%rbx, %rsi
	leaq	stint_site_2.3(%rip), %rdi
	call	stint_i_enter_dynamic@PLT
	movq	%rax, %r13
	call	stint_now_us@PLT
	xorl	%edx, %edx
	leaq	.LC7(%rip), %rsi
	leaq	stint_site_3.2(%rip), %rdi
	movq	%rax, %rcx
	call	stint_i_enter_since@PLT
	testq	%rax, %rax
	je	.L68
	movq	%rax, %rdi
	call	stint_i_leave_node
.L68:
	testq	%r13, %r13
	je	.L69
	movq	%r13, %rdi
	call	stint_i_leave_node
.L69:
	movq	%fs:(%r12), %rax
	movl	stint_i_state(%rip), %edx
	cmpl	(%rax), %edx
	jne	.L70
	movl	20+stint_site_4.1(%rip), %esi
	movq	8(%rax), %r9
	movl	56(%rax), %edx
	movl	4(%rax), %edi
	addl	%esi, %edx
	andl	%edi, %edx
	movq	16(%rax), %rcx
	movq	(%rcx,%rdx,8), %r13
	cmpl	8(%r13), %esi
	jne	.L74
	cmpq	0(%r13), %r9
	jne	.L74
	movq	%r13, 8(%rax)
	movl	12(%r13), %edx
	movl	%edx, 56(%rax)
	rdtsc
	movq	$0, 24(%r13)
	salq	$32, %rdx
	orq	%rdx, %rax
#APP
# 165 "../../include/stint/detail/record.h" 1
	mov %rsp, 104(%r13)
# 0 "" 2
#NO_APP
	movq	%rax, 16(%r13)
.L72:
	movl	160(%r13), %eax
	movq	%r13, %rdi
	movl	%eax, 8(%rsp)
	call	stint_i_leave_node
	movq	stint_i_ticks_per_us(%rip), %rdx
	imulq	$10000000, %rdx, %rdx
	cmpq	%rdx, %rax
	jnb	.L174
.L75:
	testq	%r14, %r14
	je	.L76
	movq	%r14, %rdi
	call	stint_i_leave_node
.L76:
	addl	$1, %ebp
	cmpl	$1000, %ebp
	je	.L175
.L77:
	movq	%fs:(%r12), %rax
	testb	$1, %bpl
	leaq	.LC3(%rip), %rbx
	movl	stint_i_state(%rip), %edx
	cmovne	%r15, %rbx
	cmpl	(%rax), %edx
	je	.L176
	testl	%edx, %edx
	jne	.L61
	movq	%fs:(%r12), %rax
	xorl	%r14d, %r14d
	movl	stint_i_state(%rip), %edx
	cmpl	(%rax), %edx
	je	.L177
	.p2align 4,,10
	.p2align 3
.L62:
	testl	%edx, %edx
	je	.L67
	jmp	.L66
	.p2align 4,,10
	.p2align 3
.L70:
	testl	%edx, %edx
	je	.L75
	jmp	.L74
	.p2align 4,,10
	.p2align 3
.L174:
	leaq	stint_site_4.1(%rip), %rsi
	movq	16(%rsp), %rdi
	movq	%rax, %rdx
	movq	%r13, 160(%rsp)
	movq	%rsi, 168(%rsp)
	movl	8(%rsp), %esi
	movq	%rbx, 176(%rsp)
	movq	$10000000, 184(%rsp)
	call	stint_i_report_slow@PLT
	jmp	.L75
.L175:
	leaq	.LC9(%rip), %rbx
	xorl	%edx, %edx
	leaq	stint_site_5.7(%rip), %rdi
	movq	%rbx, %rsi
	call	stint_i_enter_dynamic@PLT
	testq	%rax, %rax
	je	.L78
	movq	%rax, %rdi
	call	stint_i_leave_node
.L78:
	pxor	%xmm0, %xmm0
	movq	%rbx, 168(%rsp)
	movq	.LC11(%rip), %rax
	leaq	48(%rsp), %rbx
	movaps	%xmm0, 64(%rsp)
	pxor	%xmm0, %xmm0
	movq	24(%rsp), %rdx
	movq	%rbx, %rdi
	movaps	%xmm0, 176(%rsp)
	movsd	.LC11(%rip), %xmm0
	leaq	.LC12(%rip), %rsi
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
	jne	.L81
	movq	%rbx, %rdi
	call	stint_timer_stop@PLT
	testl	%eax, %eax
	jne	.L81
.L80:
	leaq	64(%rsp), %rbx
	xorl	%edx, %edx
	leaq	.LC13(%rip), %rsi
	movq	%rbx, %rdi
	call	stint_gpu_span_begin@PLT
	testl	%eax, %eax
	jne	.L84
	movq	%rbx, %rdi
	call	stint_gpu_span_end@PLT
	testl	%eax, %eax
	jne	.L84
.L83:
	call	stint_token_take@PLT
	leaq	40(%rsp), %rbx
	movl	%eax, %esi
	movq	%rbx, %rdi
	call	stint_adopt_begin@PLT
	testl	%eax, %eax
	jne	.L87
	movq	%rbx, %rdi
	call	stint_adopt_end@PLT
	testl	%eax, %eax
	jne	.L87
.L86:
	leaq	.LC14(%rip), %rbp
	movq	24(%rsp), %rdi
	movl	$5000, %edx
	movq	%rbp, %rsi
	call	stint_statset_add@PLT
	testl	%eax, %eax
	jne	.L178
.L88:
	movq	24(%rsp), %r13
	xorl	%r12d, %r12d
	leaq	.LC15(%rip), %rbx
.L90:
	movq	%r12, %rcx
	movl	$3, %edx
	movq	%rbx, %rsi
	movq	%r13, %rdi
	call	stint_barrier_arrive@PLT
	testl	%eax, %eax
	jne	.L179
.L89:
	addq	$1, %r12
	cmpq	$3, %r12
	jne	.L90
	leaq	96(%rsp), %rbx
	movq	%rbx, %rdi
	call	stint_gpu_start@PLT
	testl	%eax, %eax
	je	.L180
.L91:
	movq	16(%rsp), %rdi
	call	stint_counters_start@PLT
	testl	%eax, %eax
	je	.L181
.L92:
	leaq	128(%rsp), %rax
	xorl	%esi, %esi
	xorl	%edi, %edi
	movq	%rax, %rcx
	leaq	.LC16(%rip), %rdx
	movq	%rax, 8(%rsp)
	call	stint_counters_read@PLT
	cmpl	$2, %eax
	jne	.L182
.L93:
	cmpq	$0, 128(%rsp)
	jne	.L94
	pxor	%xmm0, %xmm0
	ucomisd	152(%rsp), %xmm0
	jp	.L94
	jne	.L94
.L95:
	movq	%rbx, %rdi
	call	stint_snapshot_take@PLT
	testl	%eax, %eax
	jne	.L183
.L97:
	movq	96(%rsp), %rbx
	movq	.LC18(%rip), %rax
	pxor	%xmm0, %xmm0
	xorl	%esi, %esi
	leaq	.LC5(%rip), %rdx
	movups	%xmm0, 172(%rsp)
	movq	%rbx, %rdi
	movl	$0, 188(%rsp)
	movq	$40, 160(%rsp)
	movl	$80, 168(%rsp)
	movl	$6, 180(%rsp)
	movq	%rax, 192(%rsp)
	call	stint_snapshot_find@PLT
	movq	%rbp, %rdx
	leaq	.LC4(%rip), %rsi
	movq	%rbx, %rdi
	movq	%rax, %r12
	call	stint_snapshot_find@PLT
	movq	$0, 128(%rsp)
	cmpq	$1431, (%rbx)
	movq	%rax, %rbp
	jbe	.L184
.L98:
	testq	%r12, %r12
	je	.L99
	cmpq	$1000, 40(%r12)
	je	.L185
.L100:
	movl	$79, %edi
	call	require.part.0
.L101:
	cmpq	$0, 160(%r12)
	je	.L103
	movq	152(%r12), %rax
	cmpq	$0, 8(%rax)
	je	.L103
	cmpq	$0, 208(%r12)
	je	.L104
.L103:
	movl	$80, %edi
	call	require.part.0
.L104:
	cmpq	$0, 232(%r12)
	je	.L186
.L102:
	movl	$81, %edi
	call	require.part.0
.L105:
	testq	%rbp, %rbp
	je	.L106
	cmpq	$5000, 56(%rbp)
	je	.L187
.L106:
	movl	$82, %edi
	call	require.part.0
.L107:
	movq	336(%rbx), %rax
	testq	%rax, %rax
	je	.L108
	imulq	$408, %rax, %rax
	movq	328(%rbx), %rcx
	xorl	%r14d, %r14d
	movq	312(%rbx), %r12
	leaq	.LC6(%rip), %r13
	movq	%rcx, 24(%rsp)
	movq	%rcx, %r15
	leaq	(%rax,%rcx), %rbp
	jmp	.L110
	.p2align 4,,10
	.p2align 3
.L109:
	addq	$408, %r15
	cmpq	%r15, %rbp
	je	.L188
.L110:
	movq	(%r15), %rax
	movq	%r13, %rsi
	leaq	(%rax,%rax,2), %rax
	leaq	(%rax,%rax,8), %rax
	salq	$4, %rax
	movq	8(%r12,%rax), %rdi
	call	strcmp@PLT
	testl	%eax, %eax
	jne	.L109
	xorl	%r14d, %r14d
	cmpq	$1000, 24(%r15)
	jne	.L109
	cmpl	$1, 16(%r15)
	jne	.L109
	imulq	$408, 8(%r15), %rax
	movq	24(%rsp), %rsi
	xorl	%r14d, %r14d
	imulq	$432, (%rsi,%rax), %rax
	cmpq	$1000, 40(%r12,%rax)
	sete	%r14b
	jmp	.L109
.L94:
	movl	$66, %edi
	call	require.part.0
	jmp	.L95
.L87:
	movl	$58, %edi
	call	require.part.0
	jmp	.L86
.L84:
	movl	$57, %edi
	call	require.part.0
	jmp	.L83
.L81:
	movl	$56, %edi
	call	require.part.0
	jmp	.L80
.L179:
	movl	$61, %edi
	call	require.part.0
	jmp	.L89
.L188:
	testl	%r14d, %r14d
	je	.L108
.L111:
	cmpq	$2, 304(%rbx)
	jne	.L112
	movq	296(%rbx), %rax
	leaq	.LC4(%rip), %rsi
	movq	8(%rax), %rdi
	call	strcmp@PLT
	testl	%eax, %eax
	jne	.L112
.L113:
	cmpq	$1, 352(%rbx)
	jne	.L114
	movq	344(%rbx), %rax
	cmpq	$0, 8(%rax)
	je	.L114
.L115:
	cmpq	$1, 896(%rbx)
	jne	.L116
	movq	888(%rbx), %rax
	cmpq	$1, 32(%rax)
	je	.L117
.L116:
	movl	$93, %edi
	call	require.part.0
.L117:
	movsd	80(%rbx), %xmm1
	pxor	%xmm0, %xmm0
	comisd	%xmm0, %xmm1
	jbe	.L118
	movq	40(%rbx), %rdi
	leaq	.LC19(%rip), %rsi
	call	strstr@PLT
	testq	%rax, %rax
	je	.L118
.L120:
	cmpq	$1, 440(%rbx)
	jne	.L121
	cmpq	$0, 640(%rbx)
	jne	.L121
.L122:
	cmpq	$0, 1424(%rbx)
	jne	.L123
	cmpq	$0, 1216(%rbx)
	je	.L189
.L123:
	movl	$96, %edi
	call	require.part.0
.L124:
	movq	8(%rsp), %r8
	movq	16(%rsp), %rdx
	xorl	%esi, %esi
	movq	%rbx, %rdi
	leaq	write_text(%rip), %rcx
	call	stint_report_write@PLT
	testl	%eax, %eax
	jne	.L125
	cmpq	$400, 128(%rsp)
	jbe	.L125
.L126:
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
.L125:
	movl	$97, %edi
	call	require.part.0
	jmp	.L126
.L121:
	movl	$95, %edi
	call	require.part.0
	jmp	.L122
.L114:
	movl	$92, %edi
	call	require.part.0
	jmp	.L115
.L112:
	movl	$91, %edi
	call	require.part.0
	jmp	.L113
.L186:
	movq	24(%r12), %rdi
	leaq	.LC5(%rip), %rsi
	call	strcmp@PLT
	testl	%eax, %eax
	je	.L105
	jmp	.L102
.L189:
	cmpl	$0, 1240(%rbx)
	je	.L124
	jmp	.L123
.L118:
	movl	$94, %edi
	call	require.part.0
	jmp	.L120
.L178:
	movl	$59, %edi
	call	require.part.0
	jmp	.L88
.L108:
	movl	$90, %edi
	call	require.part.0
	jmp	.L111
.L184:
	movl	$78, %edi
	call	require.part.0
	jmp	.L98
.L183:
	movl	$111, %edi
	call	require.part.0
	jmp	.L97
.L182:
	movl	$65, %edi
	call	require.part.0
	jmp	.L93
.L181:
	movl	$64, %edi
	call	require.part.0
	jmp	.L92
.L180:
	call	stint_gpu_stop@PLT
	jmp	.L91
.L185:
	movq	56(%r12), %rax
	cmpq	%rax, 64(%r12)
	jb	.L101
	jmp	.L100
.L187:
	movq	0(%rbp), %rdi
	leaq	.LC4(%rip), %rsi
	call	strcmp@PLT
	testl	%eax, %eax
	je	.L107
	jmp	.L106
.L99:
	movl	$79, %edi
	call	require.part.0
	movl	$80, %edi
	call	require.part.0
	jmp	.L102
	.section	.text.unlikely
	.type	main.cold, @function
main.cold:
.L61:
	xorl	%edx, %edx
	leaq	.LC5(%rip), %rsi
	leaq	stint_site_0.5(%rip), %rdi
	call	stint_i_enter_rarely
	movq	%rax, %r14
	jmp	.L60
.L74:
	xorl	%edx, %edx
	leaq	.LC8(%rip), %rsi
	leaq	stint_site_4.1(%rip), %rdi
	call	stint_i_enter_rarely
	movq	%rax, %r13
	testq	%rax, %rax
	jne	.L72
	jmp	.L75
.L66:
	movq	24(%rsp), %rdx
	leaq	stint_site_1.4(%rip), %rdi
	leaq	.LC6(%rip), %rsi
	call	stint_i_enter_rarely
	movq	%rax, %rdi
	testq	%rax, %rax
	jne	.L64
	jmp	.L67
	.section	.text.startup
	.size	main, .-main
	.section	.text.unlikely
	.size	main.cold, .-main.cold
.LCOLDE22:
	.section	.text.startup
.LHOTE22:
	.section	.rodata
	.type	__func__.0, @object
	.size	__func__.0, 5
__func__.0:
	.string	"step"
	.section	.rodata.str1.1
.LC23:
	.string	"program.c"
	.section	.data.rel.local,"aw"
	.align 16
	.type	stint_site_4.1, @object
	.size	stint_site_4.1, 24
stint_site_4.1:
	.quad	.LC23
	.quad	__func__.0
	.long	37
	.long	0
	.align 16
	.type	stint_site_3.2, @object
	.size	stint_site_3.2, 24
stint_site_3.2:
	.quad	.LC23
	.quad	__func__.0
	.long	35
	.long	0
	.align 16
	.type	stint_site_2.3, @object
	.size	stint_site_2.3, 24
stint_site_2.3:
	.quad	.LC23
	.quad	__func__.0
	.long	34
	.long	0
	.align 16
	.type	stint_site_1.4, @object
	.size	stint_site_1.4, 24
stint_site_1.4:
	.quad	.LC23
	.quad	__func__.0
	.long	31
	.long	0
	.align 16
	.type	stint_site_0.5, @object
	.size	stint_site_0.5, 24
stint_site_0.5:
	.quad	.LC23
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
	.quad	.LC23
	.quad	__func__.6
	.long	108
	.long	0
	.local	s_failed
	.comm	s_failed,4,4
	.section	.rodata.cst8,"aM",@progbits,8
	.align 8
.LC11:
	.long	0
	.long	1072693248
	.align 8
.LC18:
	.long	0
	.long	1071644672
	.section	.note.GNU-stack,"",@progbits
