/// The thing that a stack of a recording waits for.
struct RecordedWait: Hashable {
  /// The system call, or `page fault`; nil where it is not known.
  let call: String?
  /// The kernel's function.
  let function: String?

  init(_ stack: RecordedStack, _ kernel: KernelSymbols, call: String?, function: String?) {
    let reason = WaitReason(stack.kernel.compactMap(kernel.name))
    self.call = call ?? reason.call
    self.function = function ?? reason.function
  }

  /// The text that stands above the functions of a stack.
  var label: String {
    let known = [call, function].compactMap { $0 }
    return known.isEmpty ? "[waits]" : "[waits: \(known.joined(separator: ", "))]"
  }
}
