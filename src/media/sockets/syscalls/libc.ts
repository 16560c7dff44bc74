// The Linux system calls that media needs, through koffi. Pointers are passed as numbers: koffi then has nothing to convert, and a call
// costs about 0.15 µs more than in C. koffi is optional: without it the dgram adapter is used.

/** Every argument and result is a number; pointers are addresses from `addressOf`. */
export interface Libc {
  socket(domain: number, type: number, protocol: number): number;
  bind(fd: number, address: number, length: number): number;
  connect(fd: number, address: number, length: number): number;
  close(fd: number): number;
  setsockopt(fd: number, level: number, name: number, value: number, length: number): number;
  sendto(fd: number, bytes: number, length: number, flags: number, to: number, toLength: number): number;
  send(fd: number, bytes: number, length: number, flags: number): number;
  recv(fd: number, bytes: number, size: number, flags: number): number;
  recvfrom(fd: number, bytes: number, size: number, flags: number, from: number, fromLength: number): number;
  epollCreate(flags: number): number;
  epollControl(epoll: number, operation: number, fd: number, event: number): number;
  epollWait(epoll: number, events: number, max: number, timeoutMs: number): number;
  /** Time-out in nanoseconds, since Linux 5.11 and glibc 2.35. Null: not available, only whole milliseconds. */
  epollWait2:
    | ((epoll: number, events: number, max: number, timeout: number, signals: number) => number)
    | null;
  /** Schedules the calling thread; returns 0 or an error number. Null if not available. */
  setScheduling: ((policy: number, parameters: number) => number) | null;
  errno(): number;
  addressOf(memory: Uint8Array): number;
}

export async function loadLibc(): Promise<Libc> {
  if (process.platform !== 'linux') throw new Error('system calls are made on Linux only');
  const { default: koffi } = await import('koffi');
  const lib = koffi.load(null);
  const call = (name: string, ...types: string[]): ((...values: number[]) => number) =>
    lib.func(name, 'int', types);
  const optional = (name: string, ...types: string[]): ((...values: number[]) => number) | null => {
    try {
      return call(name, ...types);
    } catch {
      return null;
    }
  };
  // pthread_setschedparam and not sched_setscheduler, which always fails in musl.
  const scheduling = (): Libc['setScheduling'] => {
    try {
      const self = lib.func('pthread_self', 'uintptr_t', []);
      const set = lib.func('pthread_setschedparam', 'int', ['uintptr_t', 'int', 'uintptr_t']);
      return (policy, parameters) => set(self(), policy, parameters);
    } catch {
      return null;
    }
  };
  return {
    socket: call('socket', 'int', 'int', 'int'),
    bind: call('bind', 'int', 'uintptr_t', 'uint32_t'),
    connect: call('connect', 'int', 'uintptr_t', 'uint32_t'),
    close: call('close', 'int'),
    setsockopt: call('setsockopt', 'int', 'int', 'int', 'uintptr_t', 'uint32_t'),
    sendto: call('sendto', 'int', 'uintptr_t', 'uintptr_t', 'int', 'uintptr_t', 'uint32_t'),
    send: call('send', 'int', 'uintptr_t', 'uintptr_t', 'int'),
    recv: call('recv', 'int', 'uintptr_t', 'uintptr_t', 'int'),
    recvfrom: call('recvfrom', 'int', 'uintptr_t', 'uintptr_t', 'int', 'uintptr_t', 'uintptr_t'),
    epollCreate: call('epoll_create1', 'int'),
    epollControl: call('epoll_ctl', 'int', 'int', 'int', 'uintptr_t'),
    epollWait: call('epoll_wait', 'int', 'uintptr_t', 'int', 'int'),
    epollWait2: optional('epoll_pwait2', 'int', 'uintptr_t', 'int', 'uintptr_t', 'uintptr_t'),
    setScheduling: scheduling(),
    errno: () => koffi.errno(),
    addressOf: (memory) => Number(koffi.address(memory)),
  };
}
