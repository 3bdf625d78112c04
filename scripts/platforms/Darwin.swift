// Stands for Apple's module in scripts/check-platforms: the C library of Linux, and what Apple's has beside it or
// otherwise, as far as our sources name it. The declarations follow the headers of Apple's SDKs.
@_exported import Dispatch
@_exported import Glibc

// <time.h>
public var CLOCK_UPTIME_RAW: clockid_t { 8 }

// <sys/stat.h>
extension stat {
  public var st_mtimespec: timespec { st_mtim }
  public var st_birthtimespec: timespec { st_ctim }
}

// <sys/signal.h>
public typealias ActionHandler =
  @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void
public struct ActionFunctions {
  public var __sa_handler: (@convention(c) (Int32) -> Void)?
  public var __sa_sigaction: ActionHandler?
}
extension sigaction {
  public var __sigaction_u: ActionFunctions {
    get { ActionFunctions() }
    set {}
  }
}
extension siginfo_t {
  public var si_addr: UnsafeMutableRawPointer? { nil }
}

// <spawn.h>: a pointer there.
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
@discardableResult public func posix_spawn_file_actions_init(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_destroy(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_adddup2(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>, _ old: Int32, _ new: Int32
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_addclose(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>, _ descriptor: Int32
) -> Int32 { 0 }
@discardableResult public func posix_spawn_file_actions_addopen(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>, _ descriptor: Int32, _ path: UnsafePointer<CChar>,
  _ flags: Int32, _ mode: mode_t
) -> Int32 { 0 }
public func posix_spawnp(
  _ pid: UnsafeMutablePointer<pid_t>?, _ file: UnsafePointer<CChar>,
  _ actions: UnsafePointer<posix_spawn_file_actions_t?>?, _ attributes: UnsafePointer<UnsafeMutableRawPointer?>?,
  _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
  _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 { 0 }

// <pthread.h>: a pointer there, too.
public typealias pthread_t = OpaquePointer
public func pthread_self() -> pthread_t { OpaquePointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)) }
public func pthread_create(
  _ thread: UnsafeMutablePointer<pthread_t?>, _ attributes: UnsafePointer<pthread_attr_t>?,
  _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }
@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 { 0 }
@discardableResult public func pthread_join(
  _ thread: pthread_t, _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> Int32 { 0 }

// <sys/socket.h>
public var SOCK_STREAM: Int32 { 1 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }

// <malloc/malloc.h>
@discardableResult public func malloc_zone_pressure_relief(_ zone: UnsafeMutableRawPointer?, _ goal: Int) -> Int { 0 }

// <sys/resource.h>
public var RLIMIT_CORE: Int32 { 4 }
@discardableResult public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>) -> Int32 { 0 }
@discardableResult public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>) -> Int32 { 0 }

// <string.h>
@discardableResult public func memset_s(
  _ memory: UnsafeMutableRawPointer?, _ size: Int, _ byte: Int32, _ count: Int
) -> Int32 { 0 }

// <sys/sysctl.h>
public func sysctlbyname(
  _ name: UnsafePointer<CChar>, _ old: UnsafeMutableRawPointer?, _ size: UnsafeMutablePointer<Int>?,
  _ new: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { 0 }

public func sysctl(
  _ name: UnsafeMutablePointer<Int32>?, _ count: UInt32, _ old: UnsafeMutableRawPointer?,
  _ size: UnsafeMutablePointer<Int>?, _ new: UnsafeMutableRawPointer?, _ newSize: Int
) -> Int32 { 0 }
public var CTL_KERN: Int32 { 1 }
public var KERN_PROC: Int32 { 14 }
public var KERN_PROC_PID: Int32 { 1 }
public var P_TRACED: Int32 { 0x800 }
public struct extern_proc { public var p_flag: Int32 = 0 }
public struct kinfo_proc {
  public var kp_proc = extern_proc()
  public init() {}
}

// <fcntl.h>
public struct fstore_t {
  public init(
    fst_flags: UInt32, fst_posmode: Int32, fst_offset: off_t, fst_length: off_t, fst_bytesalloc: off_t
  ) {}
}
public var F_ALLOCATEALL: Int32 { 4 }
public var F_PEOFPOSMODE: Int32 { 3 }
public var F_PREALLOCATE: Int32 { 42 }
public var F_FULLFSYNC: Int32 { 51 }

// <dlfcn.h>
public struct Dl_info {
  public init() {}
  public var dli_fname: UnsafePointer<CChar>? { nil }
}
public func dladdr(_ address: UnsafeRawPointer?, _ info: UnsafeMutablePointer<Dl_info>) -> Int32 { 0 }

// Dispatch
extension DispatchSource {
  public struct MemoryPressureEvent: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static var warning: Self { Self(rawValue: 2) }
    public static var critical: Self { Self(rawValue: 4) }
  }

  public class func makeMemoryPressureSource(
    eventMask: MemoryPressureEvent, queue: DispatchQueue? = nil
  ) -> any DispatchSourceProtocol { fatalError() }
}
