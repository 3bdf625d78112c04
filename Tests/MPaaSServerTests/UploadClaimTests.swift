import NIOCore
import NIOPosix
import Testing

@testable import MPaaSServer

@Suite("The right to write to an upload") struct UploadClaimTests {
  @Test("goes to the newer request, but never to one whose connection is gone")
  func gone() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let (first, second) = (
      try await DatagramBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get(),
      try await DatagramBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
    )
    let claims = UploadClaims()
    let claim = try await claims.take("a", first)
    try await second.close()
    await #expect(throws: Refusal.self) { _ = try await claims.take("a", second) }
    #expect(first.isActive)
    await claims.release(claim)
    try await first.close()
  }
}
