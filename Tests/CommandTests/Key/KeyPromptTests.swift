import Foundation
import MPaaSTestSupport
import Testing

/// The terminal while `mpaas key` asks for a passphrase.
@Suite("The prompt for a passphrase", .tool("setsid")) struct KeyPromptTests {
  let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  private func session(_ line: String) throws -> PtySession {
    try PtySession(
      "ulimit -c 0; " + line, columns: 100,
      environment: [
        "MPAAS_HOME": home.path, "MPAAS_LANG": "en", "MPAAS_PASSPHRASE": "", "SWIFT_BACKTRACE": "enable=no",
      ])
  }

  static let ending: [Int32] = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSYS, SIGPIPE, SIGALRM,
    SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF,
  ]

  @Test("each signal that ends it gives the terminal its echo back first", .tool("perl"), arguments: ending)
  func ends(number: Int32) throws {
    // The shell's status does not tell a signal from a status of 128 and more.
    let program = """
      $SIG{$_} = 'DEFAULT' for keys %SIG; system('mpaas', 'key', 'generate', '--name', 'a');
      print 'ended by ', $? & 127, ' with ', $? >> 8, '.';
      """
    let session = try session("exec perl -e \"\(program.replacing("$", with: "\\$"))\"")
    let before = session.modes
    try session.waitFor("assphrase")
    try session.waitForModes { !$0.showsKeys }
    try session.signal(number, program: "mpaas")
    let screen = try session.waitFor("ended by")
    #expect(screen.text.contains("ended by \(number) with 0."), "\(screen.text)")
    #expect(session.modes == before)
    #expect(before.showsKeys)
    #expect(before.readsLines)
  }

  @Test(
    "what stops it gives the echo back; it asks anew when it goes on, and what was typed before is gone",
    arguments: [nil, SIGTSTP, SIGTTIN, SIGTTOU] as [Int32?])
  func stops(number: Int32?) throws {
    let session = try session(
      "set -m; mpaas key generate --name a; echo paused; read line; clear; fg; echo status $?")
    let before = session.modes
    try session.waitFor("assphrase")
    try session.waitForModes { !$0.showsKeys }
    session.type("wrong")
    if let number { try session.signal(number, program: "mpaas") } else { session.type("\u{1a}") }
    try session.waitFor("paused")
    #expect(session.modes == before)
    #expect(before.showsKeys)
    #expect(before.readsLines)
    session.type("\n")
    try session.waitFor("the prompt again") { $0.text.contains("paused") == false && $0.text.contains("assphrase") }
    #expect(!session.modes.showsKeys)
    #expect(!session.modes.readsLines)
    session.type("right\r")
    try session.waitFor("same again")
    session.type("right\r")
    let screen = try session.waitFor("status")
    #expect(screen.text.contains("status 0"), "\(screen.text)")
    #expect(!screen.text.contains("right"), "\(screen.text)")
    #expect(session.modes == before)
    let file = home.path + "/right"
    try Data("right\n".utf8).write(to: URL(filePath: file))
    let exported = try mpaas(
      ["key", "export", "--name", "a", "--private", "--unencrypted", "--passphrase-file", file], home: home,
      environment: ["MPAAS_PASSPHRASE": ""])
    #expect(exported.output.hasPrefix("-----BEGIN PRIVATE KEY-----"), "\(exported.errors)")
  }
}
