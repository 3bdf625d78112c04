import MPaaSSupport
import MPaaSToolSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A terminal that this process has set to something else, given back however the process ends or stops.
///
/// Every signal that ends the process or stops it finds the terminal as it was before; then it takes its course,
/// through the handler that was there before where there was one. When the process goes on, the terminal is taken
/// again. Signals that are ignored stay ignored. SIGKILL and SIGSTOP cannot be caught: they leave the terminal as it is
/// at that moment, and whoever sends them has to set it right (`stty sane`). One terminal at a time.
enum TerminalGuard {
  /// The way in which a terminal behaves while it is taken.
  enum Mode {
    /// Every key is handed over as it is.
    case raw
    /// The same for what is typed, which does not appear.
    case unseen

    func applied(to before: termios) -> termios {
      var modes = before
      switch self {
      case .raw:
        cfmakeraw(&modes)
        // Signs that are written go to the next line as usual.
        modes.c_oflag = before.c_oflag
      case .unseen:
        modes.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
      }
      return modes
    }
  }

  /// All that a handler reads: plain memory, reached through a pointer that is made before the first handler is.
  private struct Kept {
    var descriptor: Int32 = -1
    /// Told 's' for another size and 'c' for going on; -1 where there is no listener.
    var wakeUp: Int32 = -1
    var before = termios()
    var taken = termios()
    /// Tells whether the process wants the terminal, and whether it has it.
    var isWanted: sig_atomic_t = 0
    var isTaken: sig_atomic_t = 0
    var questions: sig_atomic_t = 0
    var giveBack = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    var question = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
    /// The address of `handle`, as the system knows it.
    var handler = 0
  }

  private nonisolated(unsafe) static let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)
  /// The former actions of signals, by their numbers.
  private nonisolated(unsafe) static let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: last + 1)
  private nonisolated(unsafe) static let isGuarded = UnsafeMutablePointer<Bool>.allocate(capacity: last + 1)
  private static let last = 64
  /// Signals that never end a process by default, and the two that cannot be caught.
  private static let harmless: [Int32] = {
    #if canImport(Darwin)
      [SIGCHLD, SIGURG, SIGIO, SIGINFO, SIGKILL, SIGSTOP]
    #else
      [SIGCHLD, SIGURG, SIGKILL, SIGSTOP]
    #endif
  }()

  // MARK: What the program calls

  /// Remembers how the terminal is, and guards it from now on.
  ///
  /// - Parameters:
  ///   - giveBack: What is written to the terminal each time that it is given back.
  ///   - question: What is written to standard error when the process goes on; where `wake` is given its reader draws.
  ///   - wake: A pipe that is told 's' when the size changes, and 'c' when everything is to be drawn again.
  static func begin(
    _ descriptor: Int32, _ mode: Mode, giveBack: String = "", question: String = "", wake: Int32 = -1
  ) {
    var new = Kept()
    new.descriptor = descriptor
    new.wakeUp = wake
    tcgetattr(descriptor, &new.before)
    new.taken = mode.applied(to: new.before)
    new.giveBack = copy(giveBack)
    new.question = copy(question)
    let handle: SignalHandler = { TerminalGuard.handle($0, $1, $2) }
    new.handler = sigaction(handle).address
    kept.initialize(to: new)
    actions.initialize(repeating: sigaction(), count: last + 1)
    isGuarded.initialize(repeating: false, count: last + 1)
    for number in 1...Int32(last) where ![SIGWINCH, SIGCONT].contains(number) && !harmless.contains(number) {
      listen(to: number, handle)
    }
    listen(to: SIGCONT) { _, _, _ in TerminalGuard.resume(showsQuestion: true) }
    if wake >= 0 {
      listen(to: SIGWINCH) { _, _, _ in TerminalGuard.tell(TerminalGuard.kept.pointee.wakeUp, UInt8(ascii: "s")) }
    }
  }

  /// Gives the terminal back and lets signals do what they did before.
  static func end() {
    giveBack()
    for number in 1...last where isGuarded[number] {
      isGuarded[number] = false
      sigaction(Int32(number), actions + number, nil)
    }
    kept.pointee.giveBack.deallocate()
    kept.pointee.question.deallocate()
    kept.pointee = Kept()
  }

  /// Sets the terminal to the mode; in the background the process is stopped until it is in the foreground.
  static func take() {
    kept.pointee.isWanted = 1
    set()
  }

  /// Gives the terminal back until `take` is called again.
  static func giveBack() {
    kept.pointee.isWanted = 0
    restore()
  }

  /// The number of times that the question was shown again; what was typed before belongs to none of them.
  static var questions: sig_atomic_t { kept.pointee.questions }

  private static func copy(_ text: String) -> UnsafeMutableBufferPointer<UInt8> {
    let bytes = Array(text.utf8)
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    _ = copy.initialize(from: bytes)
    return copy
  }

  private static func listen(to number: Int32, _ handler: SignalHandler) {
    var before = sigaction()
    // Real-time signals that somebody listens to are messages; the system keeps some of them for itself.
    guard sigaction(number, nil, &before) == 0, !before.isIgnored, number < 32 || before.isDefault else { return }
    actions[Int(number)] = before
    // On the stack that is kept for handlers, where there is one: the usual stack may be used up.
    var action = sigaction(handler, flags: SA_RESTART | SA_ONSTACK)
    isGuarded[Int(number)] = sigaction(number, &action, nil) == 0
  }

  // MARK: What handlers call

  /// Gives the terminal back, lets the signal take its course, and takes the terminal again where the process goes on.
  private static func handle(
    _ number: Int32, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    let saved = errno
    defer { errno = saved }
    var all = sigset_t()
    var interrupted = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &interrupted)
    restore()
    // A fault of the program happens again where it is met again, with all that is known of it.
    let code = information?.pointee.si_code ?? 0
    let isFault = isMetAgain(number) && code > 0 && code < 0x10000
    let goesOn =
      isFault ? passOn(number, information, context, interrupted) : raiseAgain(number, interrupted)
    // SIGCONT may have come already, and its handler has taken the terminal then.
    if goesOn { resume(showsQuestion: isStopping(number) && kept.pointee.isTaken == 0) }
    // The system sets the mask of before when the handler returns.
  }

  private static func isStopping(_ number: Int32) -> Bool {
    number == SIGTSTP || number == SIGTTIN || number == SIGTTOU
  }

  private static func isMetAgain(_ number: Int32) -> Bool {
    number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE
  }

  /// Raises a signal with the action of before; true where the process goes on after it.
  private static func raiseAgain(_ number: Int32, _ interrupted: sigset_t) -> Bool {
    let before = actions + Int(number)
    var own = sigaction()
    var open = interrupted
    var closed = sigset_t()
    sigdelset(&open, number)
    sigaction(number, before, &own)
    pthread_sigmask(SIG_SETMASK, &open, &closed)
    raise(number)
    pthread_sigmask(SIG_SETMASK, &closed, nil)
    guard kept.pointee.descriptor >= 0 else { return false }
    // A handler may have set another one for the next time.
    sigaction(number, &own, before)
    return true
  }

  /// Gives a fault to the handler of before; true where that one mended it.
  private static func passOn(
    _ number: Int32, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?,
    _ interrupted: sigset_t
  ) -> Bool {
    let before = actions + Int(number)
    guard !before.pointee.isDefault else {
      sigaction(number, before, nil)
      return false
    }
    var mask = interrupted
    var closed = sigset_t()
    pthread_sigmask(SIG_SETMASK, &mask, &closed)
    unsafeBitCast(before.pointee.address, to: SignalHandler.self)(number, information, context)
    pthread_sigmask(SIG_SETMASK, &closed, nil)
    // Handlers that let a fault end the process set another action before they return.
    var now = sigaction()
    sigaction(number, nil, &now)
    return now.address == kept.pointee.handler
  }

  private static func resume(showsQuestion: Bool) {
    guard kept.pointee.isWanted != 0 else { return }
    let saved = errno
    defer { errno = saved }
    if kept.pointee.wakeUp >= 0 {
      // The shell that stopped the program may have set the terminal to something else; the reader takes it again.
      return tell(kept.pointee.wakeUp, UInt8(ascii: "c"))
    }
    // In the background it stays with the foreground's program; the next read stops the process until it is there.
    guard isInForeground else { return }
    set()
    guard showsQuestion else { return }
    kept.pointee.questions &+= 1
    write(STDERR_FILENO, kept.pointee.question.baseAddress, kept.pointee.question.count)
  }

  private static func set() {
    // First the mark: a signal that comes between gives back what is not taken, which does no harm.
    kept.pointee.isTaken = 1
    tcsetattr(kept.pointee.descriptor, TCSADRAIN, &kept.pointee.taken)
  }

  private static func restore() {
    guard kept.pointee.isTaken != 0 else { return }
    if isInForeground {
      write(kept.pointee.descriptor, kept.pointee.giveBack.baseAddress, kept.pointee.giveBack.count)
      // At once: output that is held back (Ctrl-S) must not hold back the end.
      tcsetattr(kept.pointee.descriptor, TCSANOW, &kept.pointee.before)
    }
    kept.pointee.isTaken = 0
  }

  /// Tells whether the terminal is this process's to set; also where the terminal is not the one that controls it.
  private static var isInForeground: Bool {
    let group = tcgetpgrp(kept.pointee.descriptor)
    return group < 0 || group == getpgrp()
  }

  // MARK: Writing

  static func write(_ number: Int32, _ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { write(number, $0.baseAddress, $0.count) }
  }

  private static func write(_ number: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int) {
    guard var place = start else { return }
    var rest = count
    while rest > 0 {
      #if canImport(Darwin)
        let written = Darwin.write(number, place, rest)
      #elseif canImport(Glibc)
        let written = Glibc.write(number, place, rest)
      #else
        let written = Musl.write(number, place, rest)
      #endif
      if written > 0 {
        place += written
        rest -= written
      } else if errno != EINTR {
        return
      }
    }
  }

  static func tell(_ number: Int32, _ byte: UInt8) {
    var byte = byte
    let saved = errno
    write(number, &byte, 1)
    errno = saved
  }
}
