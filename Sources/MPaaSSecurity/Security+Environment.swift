internal import CSecurity

#if canImport(Darwin)
  import Darwin
#endif

extension Security {
  /// Facts about the surroundings of the process; nil for what is not known on a system.
  public struct Environment: Sendable, Hashable {
    /// True where the process has the administrator's rights.
    public internal(set) var isRoot: Bool?
    /// A folder of the system that others than its owner may write.
    public internal(set) var writableSystemFolder: String?
    /// Yama's `ptrace_scope`: 0 each process may trace those of its user, 1 children only, 2 administrators only,
    /// 3 none may.
    public internal(set) var ptraceScope: Int?
    /// True inside a container, with the sign that tells it.
    public internal(set) var isContainer: Bool?
    /// The file, control group or field that tells a container.
    public internal(set) var container: String?
    /// Signs of a jailbroken device.
    public internal(set) var findings: [Finding] = []
  }

  /// The surroundings of the process.
  ///
  /// - Parameter canOpen: On iOS a call of `UIApplication.shared.canOpenURL`, for the schemes of shops of jailbroken
  ///   devices (`cydia`, `sileo`, `zbra`), which Info.plist has to list; nil leaves them out.
  public static func environment(canOpen: ((_ scheme: String) -> Bool)? = nil) -> Environment {
    var facts = mp_environment()
    mp_security_environment(&facts)
    let folder = withUnsafeBytes(of: facts.writable_folder) { String(nulTerminated: $0) }
    let container = withUnsafeBytes(of: facts.container) { String(nulTerminated: $0) }
    var environment = Environment(
      isRoot: facts.is_root < 0 ? nil : facts.is_root == 1, writableSystemFolder: folder.isEmpty ? nil : folder,
      ptraceScope: facts.ptrace_scope < 0 ? nil : Int(facts.ptrace_scope),
      isContainer: facts.is_container < 0 ? nil : facts.is_container == 1,
      container: container.isEmpty ? nil : container)
    #if canImport(Darwin) && !os(macOS)
      environment.findings = jailbreakFiles()
    #endif
    for scheme in ["cydia", "sileo", "zbra"] where canOpen?(scheme) == true {
      environment.findings.append(Finding(.jailbreak, .probable, subject: "\(scheme)://", name: "an app opens it"))
    }
    return environment
  }

  /// Tells whether the program was linked or started so that no variable loads libraries into it; nil where it is not
  /// known.
  ///
  /// On Apple's systems the section `__RESTRICT,__restrict`; on Linux a start with more rights than its user has
  /// (`AT_SECURE`), when the dynamic linker ignores `LD_PRELOAD` of folders that are not the system's.
  public static var isRestricted: Bool? {
    var facts = mp_environment()
    mp_security_environment(&facts)
    return facts.is_restricted < 0 ? nil : facts.is_restricted == 1
  }

  #if canImport(Darwin) && !os(macOS)
    /// Findings of files and rights that only a jailbroken device has.
    private static func jailbreakFiles() -> [Finding] {
      #if targetEnvironment(simulator)
        return []
      #else
        let paths = [
          "/Applications/Cydia.app", "/Applications/Sileo.app", "/Applications/Zebra.app", "/var/jb",
          "/Library/MobileSubstrate/MobileSubstrate.dylib", "/usr/lib/libhooker.dylib", "/usr/lib/libsubstitute.dylib",
          "/usr/lib/TweakInject", "/usr/sbin/frida-server", "/usr/sbin/sshd", "/etc/apt", "/private/var/lib/apt",
          "/bin/bash", "/.bootstrapped_electra", "/.installed_unc0ver", "/.cydia_no_stash",
        ]
        var findings = paths.filter { access($0, F_OK) == 0 }
          .map { Finding(.jailbreak, .certain, subject: $0, name: "the file is there") }
        // The sandbox lets no app write there.
        let probe = "/private/mpaas-\(getpid())"
        let file = open(probe, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        if file >= 0 {
          close(file)
          unlink(probe)
          findings.append(Finding(.jailbreak, .certain, subject: "/private", name: "the app can write there"))
        }
        return findings
      #endif
    }
  #endif
}
