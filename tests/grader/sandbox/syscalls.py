"""System calls that the sandbox knows, with their numbers on x86_64 and on aarch64.

A dash stands for a call that the machine does not have. Calls newer than NEWEST are absent for
the closed-off process, so that none of them needs a line here.
"""

from tests.grader.sandbox.kernel import MACHINES

NEWEST = 450

REFUSED = {
    "network": """
        socket 41 198 socketpair 53 199 connect 42 203 bind 49 200 listen 50 201 accept 43 202
        accept4 288 242 sendto 44 206 sendmsg 46 211 sendmmsg 307 269 recvfrom 45 207
        recvmsg 47 212 recvmmsg 299 243""",
    "signals and other processes": """
        rt_sigqueueinfo 129 138 rt_tgsigqueueinfo 297 240 pidfd_open 434 434
        pidfd_send_signal 424 424 pidfd_getfd 438 438 ptrace 101 117 process_vm_readv 310 270
        process_vm_writev 311 271 process_madvise 440 440 process_mrelease 448 448 kcmp 312 272
        move_pages 279 239 migrate_pages 256 238 setpriority 141 140 ioprio_set 251 30
        sched_setscheduler 144 119 sched_setparam 142 118 sched_setattr 314 274""",
    "new processes": """
        fork 57 - vfork 58 - execve 59 221 execveat 322 281 setpgid 109 154 setsid 112 157""",
    "memory shared by name": """
        memfd_create 319 279 memfd_secret 447 447 shmget 29 194 shmat 30 196 shmctl 31 195
        semget 64 190 semctl 66 191 msgget 68 186 msgctl 71 187 mq_open 240 180
        mq_unlink 241 181""",
    # What Landlock leaves open: the rights, owner and times of a file can be changed without
    # opening it, and its first version lets a file be cut that may only be read.
    "files that are not opened": """
        chmod 90 - fchmod 91 52 fchmodat 268 53 chown 92 - fchown 93 55 lchown 94 - fchownat 260 54
        setxattr 188 5 lsetxattr 189 6 fsetxattr 190 7 removexattr 197 14 lremovexattr 198 15
        fremovexattr 199 16 utime 132 - utimes 235 - futimesat 261 - utimensat 280 88
        truncate 76 45 name_to_handle_at 303 264 open_by_handle_at 304 265 inotify_init 253 -
        inotify_init1 294 26 fanotify_init 300 262""",
    "mounts and namespaces": """
        mount 165 40 umount2 166 39 pivot_root 155 41 chroot 161 51 open_tree 428 428
        move_mount 429 429 fsopen 430 430 fsconfig 431 431 fsmount 432 432 fspick 433 433
        mount_setattr 442 442 quotactl 179 60 quotactl_fd 443 443 setns 308 268 unshare 272 97""",
    "the kernel": """
        bpf 321 280 perf_event_open 298 241 add_key 248 217 request_key 249 218 keyctl 250 219
        io_uring_setup 425 425 io_uring_enter 426 426 io_uring_register 427 427
        userfaultfd 323 282 personality 135 92 kexec_load 246 104 kexec_file_load 320 294
        init_module 175 105 finit_module 313 273 delete_module 176 106 reboot 169 142
        swapon 167 224 swapoff 168 225""",
    "another user": """
        setuid 105 146 setgid 106 144 setreuid 113 145 setregid 114 143 setresuid 117 147
        setresgid 119 149 setfsuid 122 151 setfsgid 123 152 setgroups 116 159 capset 126 91""",
}

LOOKED_AT = """
    kill 62 129 tkill 200 130 tgkill 234 131 clone 56 220 clone3 435 435 prlimit64 302 261
    sched_setaffinity 203 122 fcntl 72 25 ioctl 16 29 open 2 - openat 257 56 openat2 437 437"""
"""Calls that are refused for some arguments only, or for which there is another one."""

SECCOMP = "seccomp 317 277"


def numbers(table: str, machine: str) -> dict[str, int]:
    """The calls of a table that the machine has, each with its number there."""
    words = table.split()
    column = words[1 + MACHINES.index(machine) :: 3]
    found = zip(words[::3], column, strict=True)
    return {name: int(number) for name, number in found if number != "-"}
