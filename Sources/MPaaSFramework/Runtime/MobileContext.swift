/// What an app runs in: its modules and messages, and what is recorded of them.
@MainActor public final class MobileContext {
  public nonisolated let trace: TraceRecorder
  public nonisolated let messages: MessageQueue
  public nonisolated let environment: AppEnvironment
  public let modules: ModuleRegistry

  public init(_ tables: RuntimeTable..., environment: AppEnvironment = .release) throws(FrameworkError) {
    self.environment = environment
    trace = TraceRecorder.live()
    modules = ModuleRegistry(trace: trace)
    messages = MessageQueue()
    for table in tables { try modules.register(contentsOf: table.modules) }
  }
}
