import CommandKit
import Dispatch
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import Synchronization

/// A dashboard at a terminal: it draws what comes, and does what keys say.
///
/// A thread waits for keys; what goes over the network goes on meanwhile, and wakes it up.
final class TopSession: Sendable {
  private struct News {
    var sample: TrafficSample?
    var message: StyledText?
    /// The reason why there will be no more.
    var failure: (any Error)?
  }

  private let source: TopSource
  private let device: TerminalDevice
  private let style: TextStyle
  private let news = Mutex(News())

  private init(_ source: TopSource, _ device: TerminalDevice, _ style: TextStyle) {
    self.source = source
    self.device = device
    self.style = style
  }

  /// Shows the dashboard until somebody ends it.
  static func run(_ source: TopSource, first: TrafficSample, every pause: Duration, in context: Context) async throws {
    let device: TerminalDevice
    do throws(FileError) {
      device = try TerminalDevice(begin: "\u{1b}[?1049h\u{1b}[?25l\u{1b}[H", end: "\u{1b}[0m\u{1b}[?25h\u{1b}[?1049l")
    } catch {
      throw Diagnostic("net-top-terminal", exit: .usage)
    }
    let session = TopSession(source, device, context.terminal.pickerStyle)
    let sampling = Task {
      while (try? await Task.sleep(for: pause)) != nil { await session.fetch() }
    }
    var begun = TopState(catalogue: context.catalogue, address: source.server.client.address)
    begun.take(first)
    let state = begun
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        session.show(state)
        continuation.resume()
      }
    }
    sampling.cancel()
    device.leave()
  }

  /// Asks for a sample, and hands it to the thread that draws.
  private func fetch() async {
    do {
      let sample = try await source.sample()
      news.withLock { $0.sample = sample }
    } catch {
      say(error)
    }
    device.wake()
  }

  private func say(_ error: any Error) {
    let text = (error as? any DiagnosticConvertible).map {
      let diagnostic = $0.diagnostic
      return source.server.catalogue.sentence(diagnostic.id.name, diagnostic.values)
    }
    news.withLock { $0.message = StyledText(text ?? "\(error)", .bad) }
  }

  /// Milliseconds until an escape that nothing follows is the Escape key.
  private static let escapeDelay: Int32 = 50

  private func show(_ begun: TopState) {
    var state = begun
    var decoder = KeyDecoder()
    while true {
      draw(state)
      switch device.next(within: decoder.isWaiting ? Self.escapeDelay : nil) {
      case .ended: return
      case .bytes(let bytes):
        for key in decoder.feed(bytes) where handle(key, &state) { return }
      case .timeout:
        for key in decoder.flush() where handle(key, &state) { return }
      case .changed: break
      case .woken:
        let news = news.withLock { news in
          defer { news = News() }
          return news
        }
        if let sample = news.sample { state.take(sample) }
        if let message = news.message { state.message = message }
      }
    }
  }

  private func draw(_ state: TopState) {
    let (columns, rows) = device.size
    let lines = state.screen(columns: max(columns, 20), rows: max(rows, 6))
    // Each line is cleared before it is written: behind its last column there may be none to clear.
    let text = lines.prefix(rows).map { "\u{1b}[2K" + style.render($0.visible.truncated(toWidth: max(columns - 1, 1))) }
    device.write("\u{1b}[H" + text.joined(separator: "\r\n") + "\u{1b}[J")
  }

  /// Does what a key means; true ends it.
  private func handle(_ key: TerminalKey, _ state: inout TopState) -> Bool {
    let name = state.chosenProxy?.text("name")
    switch key {
    case .character("q"), .escape, .control("c"), .control("d"): return true
    case .control("z"): device.suspend()
    case .up, .character("k"): state.choose(by: -1)
    case .down, .character("j"): state.choose(by: 1)
    case .home: state.choose(by: -state.proxies.count)
    case .end: state.choose(by: state.proxies.count)
    case .character("l"), .character("+"): press("longer")
    case .character("s"), .character("-"): press("shorter")
    case .character("2"): press("2g")
    case .character("f"): press("flight-mode")
    case .character(" "):
      guard let name else { break }
      let wanted = state.chosenProxy?["enabled"]?.bool != true
      act { try await $0.ask("PATCH", "proxies", name, body: ["enabled": .bool(wanted)]) }
    case .character("x"):
      guard let name, let toxics = state.chosenProxy?.toxics else { break }
      act { server in
        for toxic in toxics { try await server.ask("DELETE", "proxies", name, "toxics", toxic.text("name")) }
      }
    default: break
    }
    return false
  }

  private func press(_ button: String) {
    act { server in
      let answer = try await server.ask("POST", "buttons", button)
      let pressed = (answer.object?["pressed"]?.array ?? []).compactMap(\.string)
      let key =
        ["longer", "shorter"].contains(button)
        ? "text.net-button-\(button)" : pressed.contains(button) ? "text.net-button-down" : "text.net-button-up"
      let said = server.catalogue.text(key, ["button": button])
      self.news.withLock { $0.message = StyledText(said, .warning) }
    }
  }

  private func act(_ work: @escaping @Sendable (NetServer) async throws -> Void) {
    Task {
      do {
        try await work(source.server)
      } catch {
        say(error)
      }
      await fetch()
    }
  }
}
