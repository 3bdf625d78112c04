extension Finding {
  /// The kinds of signs.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Another process traces this one: a debugger, `strace`; or the app's own tracer is gone.
    case debugger
    /// `LD_PRELOAD`, `LD_AUDIT`, `DYLD_INSERT_LIBRARIES` or `/etc/ld.so.preload` loads something.
    case preloadVariable = "preload-variable"
    /// An image was loaded before those that the app is linked with.
    case preloadedImage = "preloaded-image"
    /// An image of neither the app nor the system.
    case foreignImage = "foreign-image"
    /// Code of a file that the dynamic linker does not list.
    case hiddenImage = "hidden-image"
    /// Code of a file that was removed after it was loaded.
    case deletedImage = "deleted-image"
    /// Code of a file that never was on a disk (`memfd_create`).
    case memoryFile = "memory-file"
    /// Code that belongs to no file.
    case anonymousCode = "anonymous-code"
    /// Code of a file that can be written.
    case writableCode = "writable-code"
    /// A word through which a library is called leads elsewhere.
    case replacedSlot = "replaced-slot"
    /// Code differs from its file.
    case patchedCode = "patched-code"
    /// A method of Objective-C is implemented in another image.
    case replacedMethod = "replaced-method"
    /// Files or rights of a jailbroken device.
    case jailbreak
    /// Files, threads or ports of Frida.
    case frida

    /// The way in which an attacker passes the check.
    public var bypass: String {
      switch self {
      case .debugger:
        "A tracer answers the reads of /proc/self/status itself, or works from outside of the container, where its "
          + "number is 0."
      case .preloadVariable:
        "The library rewrites the environment that the process began with, or the answers of the kernel."
      case .preloadedImage:
        "The library takes itself out of the dynamic linker's list; then it is a hidden image."
      case .foreignImage:
        "The image is put into a folder of the system or of the app, or into the file of a library that is linked."
      case .hiddenImage: "The code is copied to memory without a file; then it is anonymous code."
      case .deletedImage: "The file is left where it is."
      case .memoryFile: "The code is read from a file of an expected folder, or copied to memory without one."
      case .anonymousCode:
        "The memory is made executable only while it runs, or the code is written over some that is never called."
      case .writableCode: "The right to write is taken back after the code was changed."
      case .replacedSlot: "The slot is left, and the first bytes of the function that it leads to are changed."
      case .patchedCode:
        "The check itself is patched, breakpoints of the processor are used instead of changed code, or the bytes are "
          + "put back while it runs."
      case .replacedMethod: "The implementation stays, and its first bytes are changed."
      case .jailbreak: "The files are hidden, and the calls that look for them answer otherwise."
      case .frida: "Frida is compiled with other names, and started without a port."
      }
    }
  }
}
