import Foundation
import MPaaSTestSupport
import Testing

/// A shell in a terminal with the completion that `mpaas completion install` put there.
private struct CompletingShell {
  let session: PtySession
  private let name: String
  private let folder: TemporaryFolder

  static func isInstalled(_ shell: String) -> Bool { Command.find(shell) != nil }

  /// - Parameter language: The locale; its characters must be UTF-8.
  init(_ shell: String, language: String = "en") throws {
    name = shell
    folder = try TemporaryFolder()
    let home = folder.path
    let environment = [
      "HOME": home, "MPAAS_HOME": home + "/kit", "ZDOTDIR": home, "XDG_CONFIG_HOME": home + "/config",
      "XDG_DATA_HOME": home + "/share", "BASH_COMPLETION_USER_DIR": "", "LC_ALL": "C.UTF-8", "MPAAS_LANG": language,
      "TERM": "xterm",
    ]
    let installed = try Command.run(
      "mpaas", ["completion", "install", "--shell", shell, "--json"], environment: environment)
    #expect(installed.status == 0, "\(installed.errors)")
    let file = try #require((try json(installed.output)["files"] as? [[String: Any]])?.first)
    let start = try Self.start(
      shell, home, script: try #require(file["file"] as? String), line: file["start_line"] as? String)
    for (path, text) in Self.files { try Self.write(text, to: home + "/" + path) }
    session = try PtySession("cd '\(home)/work' && \(start)", columns: 110, rows: 100, environment: environment)
    try waitForLine("")
  }

  private static let files = [
    "work/folder file": "", "work/Info 甲.plist": "", "kit/data/crashes/my report.ips": "",
    "kit/data/crashes/崩溃 一.ips": "",
  ]

  /// Writes the files that the shell reads at its start, and returns its command.
  private static func start(_ shell: String, _ home: String, script: String, line: String?) throws -> String {
    switch shell {
    case "bash":
      let package = "/usr/share/bash-completion/bash_completion"
      let loads = "[ ! -r \(package) ] || . \(package)\n\(line ?? "")\n"
      try write(
        "\(loads)PS1='$ '\nbind 'set bell-style none'\nbind 'set enable-bracketed-paste off'\necho PID=$$.\n",
        to: home + "/.bashrc")
      return "exec bash --noprofile --rcfile '\(home)/.bashrc' -i"
    case "zsh":
      let setup = "PS1='$ '\nunsetopt beep promptsp zle_bracketed_paste\nunset zle_bracketed_paste\necho PID=$$.\n"
      try write("zstyle ':completion:*' menu no\n\(line ?? "")\n\(setup)", to: home + "/.zshrc")
      return "exec zsh -i"
    default:
      let quiet = "function fish_greeting; end\nfunction fish_title; end\nset -g fish_autosuggestion_enabled 0\n"
      try write(
        "\(quiet)function fish_prompt; echo -n '$ '; end\necho PID=$fish_pid.\n", to: home + "/config/fish/config.fish")
      return "exec fish -i"
    }
  }

  private static func write(_ text: String, to path: String) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  /// Waits until the line of the last prompt has this text; blanks at its end do not count.
  func waitForLine(_ text: String) throws {
    let wanted = text.isEmpty ? "$" : "$ " + text
    try session.waitFor("the line \(wanted)") { $0.lines.last { $0 == "$" || $0.hasPrefix("$ ") } == wanted }
  }

  /// Types a line, presses Tab, and waits for what becomes of it.
  func complete(_ typed: String, to line: String) throws {
    session.type(typed + "\t")
    try waitForLine(line)
    clear()
    try waitForLine("")
  }

  /// Types a line, presses Tab, for bash twice, and waits for words below it.
  func list(_ typed: String, _ words: [String]) throws {
    session.type(typed + (name == "bash" ? "\t\t" : "\t"))
    for word in words { try session.waitFor(word) }
    clear()
    try waitForLine("")
  }

  /// Empties the line, and clears the screen of the list below it.
  private func clear() { session.type("\u{15}\u{c}") }

  /// The processor time in seconds of the shell and of the programs that have ended below it.
  func processorTime() throws -> Double {
    let match = try #require(session.screen.raw.firstMatch(of: /PID=(\d+)\./))
    let text = try String(contentsOfFile: "/proc/\(match.1)/stat", encoding: .utf8)
    // The name, which may hold blanks, stands in brackets; user and system time are the 14th to 17th fields.
    let fields = text[(try #require(text.lastIndex(of: ")")))...].split(separator: " ")
    return fields[12...15].compactMap { Double($0) }.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

@Suite("Tab in a shell") struct CompletionShellTests {
  private static let shells = ["bash", "zsh", "fish"].filter(CompletingShell.isInstalled)

  @Test("completes commands, options and their values", arguments: shells)
  func commands(shell: String) throws {
    let shell = try CompletingShell(shell)
    try shell.complete("mpaas cras", to: "mpaas crash")
    try shell.complete("mpaas --json hotp", to: "mpaas --json hotpatch")
    try shell.complete("mpaas doctor --js", to: "mpaas doctor --json")
    try shell.complete("mpaas crash convert x --to ap", to: "mpaas crash convert x --to apple")
    try shell.complete("mpaas crash convert x --to=ap", to: "mpaas crash convert x --to=apple")
    try shell.complete("mpaas net apply wifi-", to: "mpaas net apply wifi-ac")
  }

  @Test("shows commands with their meanings, in both languages", arguments: shells, ["en", "zh-Hans"])
  func lists(shell: String, language: String) throws {
    let shell = try CompletingShell(shell, language: language)
    try shell.list("mpaas ", ["hotpatch", language == "en" ? "Convert Chinese text" : "拼音"])
    try shell.list("mpaas crash ", ["symbolicate", language == "en" ? "Show a crash report" : "以文本形式显示"])
  }

  @Test("completes reports and files, with spaces and in Chinese", arguments: shells)
  func words(shell name: String) throws {
    let shell = try CompletingShell(name)
    try shell.complete("mpaas crash show my", to: "mpaas crash show my\\ report")
    try shell.complete("mpaas crash show 崩", to: "mpaas crash show 崩溃\\ 一")
    try shell.complete("mpaas crash show 'my", to: "mpaas crash show 'my report'")
    try shell.complete("mpaas crash show fol", to: "mpaas crash show folder\\ file")
    try shell.complete("mpaas plist lint Inf", to: "mpaas plist lint Info\\ 甲.plist")
    try shell.complete("mpaas crash core fol", to: "mpaas crash core folder\\ file")
  }

  @Test("completes a command behind -- as the shell does", arguments: shells)
  func passthrough(shell: String) throws {
    let shell = try CompletingShell(shell)
    try shell.complete("mpaas net run -- setsi", to: "mpaas net run -- setsid")
    try shell.complete("mpaas net run -- ls fol", to: "mpaas net run -- ls folder\\ file")
    try shell.complete("mpaas crash run --output=x -- ls fol", to: "mpaas crash run --output=x -- ls folder\\ file")
    try shell.complete("mpaas runtime trace -- setsi", to: "mpaas runtime trace -- setsid")
  }

  @Test(
    "costs little time of the processor: a command, an option, a profile, a report", arguments: shells,
    [
      ("mpaas crash sho", "mpaas crash show"), ("mpaas doctor --js", "mpaas doctor --json"),
      ("mpaas net apply wifi-", "mpaas net apply wifi-ac"),
      ("mpaas crash show my", "mpaas crash show my\\ report"),
    ])
  func cost(name: String, typed: (begun: String, whole: String)) throws {
    guard FileManager.default.fileExists(atPath: "/proc/self/stat") else { return }
    let shell = try CompletingShell(name)
    // The first loads what the shell needs for any completion.
    try shell.complete(typed.begun, to: typed.whole)
    let before = try shell.processorTime()
    let rounds = 5
    for _ in 0..<rounds { try shell.complete(typed.begun, to: typed.whole) }
    let seconds = (try shell.processorTime() - before) / Double(rounds)
    print("Tab costs \(Int(seconds * 1000)) ms of the processor in \(name): \(typed.begun)")
    // The goal is 0.15 on a machine that does nothing else; a debug build needs several times as long.
    let isOptimized = Command.mpaas.resolvingSymlinksInPath().path.contains("/release/")
    #expect(seconds < (isOptimized ? 0.3 : 1.5))
  }
}
