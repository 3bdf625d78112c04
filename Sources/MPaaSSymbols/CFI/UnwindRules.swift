package import MPaaSSupport

/// The rules for getting from the registers of a frame to those of its caller, at one address of the code.
///
/// Registers have DWARF's numbers for the processor (see `UnwindArchitecture`).
package struct UnwindRules: Sendable {
  /// The canonical frame address: what the stack pointer was before the call.
  package enum FrameAddress: Sendable {
    case register(Int, offset: Int64)
    /// A DWARF expression.
    case expression(Bytes)
    case postfix(StackCFI.Expression)
  }

  /// The place of a register's value in the caller.
  package enum Rule: Sendable {
    case undefined
    case sameValue
    /// In memory, this many bytes from the frame address.
    case offset(Int64)
    /// The frame address and this many bytes.
    case valueOffset(Int64)
    case register(Int)
    /// In memory at what a DWARF expression gives.
    case expression(Bytes)
    case valueExpression(Bytes)
    case postfix(StackCFI.Expression)
  }

  package var frameAddress: FrameAddress
  package var registers: [Int: Rule] = [:]
  /// The register (or column) that has the return address.
  package var returnAddress: Int
  /// The frame is a signal handler's: the address in it was interrupted, it is no return address.
  package var isSignalFrame = false
  /// The return address is signed (ARM64 pointer authentication).
  package var isReturnAddressSigned = false
  /// Numbers in expressions stand with the most significant byte first.
  package var isBigEndian = false

  /// Tells whether there is no caller: the first function of a thread has no return address.
  package var isOutermost: Bool {
    switch registers[returnAddress] {
    case .undefined: true
    case .postfix(let expression): expression.tokens == [.undefined]
    default: false
    }
  }

  package init(frameAddress: FrameAddress, returnAddress: Int) {
    self.frameAddress = frameAddress
    self.returnAddress = returnAddress
  }
}

/// The rules for unwinding from an image's addresses.
package protocol UnwindSource: Sendable {
  /// The rules at an address as the file itself uses it; nil where the file says nothing of it.
  func rules(at address: UInt64) -> UnwindRules?
}

/// Several sources of one image; the first that knows an address counts.
package struct UnwindSources: UnwindSource {
  private let sources: [any UnwindSource]

  /// Nil where there is none.
  package init?(_ sources: [(any UnwindSource)?]) {
    self.sources = sources.compactMap { $0 }
    if self.sources.isEmpty { return nil }
  }

  package func rules(at address: UInt64) -> UnwindRules? {
    sources.lazy.compactMap { $0.rules(at: address) }.first
  }
}

/// A source whose addresses begin elsewhere than those that are asked for.
package struct MovedUnwindSource: UnwindSource {
  private let source: any UnwindSource
  private let distance: UInt64

  /// - Parameter distance: What is added to an address to get the source's own.
  package init(_ source: any UnwindSource, by distance: UInt64) {
    self.source = source
    self.distance = distance
  }

  package func rules(at address: UInt64) -> UnwindRules? {
    source.rules(at: address &+ distance)
  }
}
