package import NIOCore

/// One direction of a path of datagrams or IP packets under conditions.
///
/// It knows no socket and no clock; packets may be lost, doubled, changed and come in another order, as told.
package struct PacketShaper {
  /// Bytes that are held.
  package private(set) var buffered = 0
  private var waiting: [ByteBuffer] = []

  package init(_ plan: LinkPlan, at now: NIODeadline) {}

  package mutating func receive(_ packet: ByteBuffer, at now: NIODeadline) { waiting.append(packet) }

  /// Emits the packets that are due.
  ///
  /// - Returns: When there is more to do; nil where nothing waits.
  package mutating func advance(to now: NIODeadline, emit: (ByteBuffer) -> Void) -> NIODeadline? {
    for packet in waiting { emit(packet) }
    waiting.removeAll()
    return nil
  }

  package mutating func change(to plan: LinkPlan, at now: NIODeadline) {}
}
