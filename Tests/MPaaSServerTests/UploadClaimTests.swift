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
    let claim = try await claims.take("a", number: 1, first)
    try await second.close()
    await #expect(throws: Refusal.self) { _ = try await claims.take("a", number: 2, second) }
    #expect(first.isActive)
    await claims.release(claim)
    try await first.close()
  }

  @Test("stays with the newer request, also where the older one gets there after it")
  func late() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let (older, newer) = (
      try await DatagramBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get(),
      try await DatagramBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
    )
    let claims = UploadClaims()
    let claim = try await claims.take("a", number: 2, newer)
    await #expect(throws: Refusal.self) { _ = try await claims.take("a", number: 1, older) }
    #expect(newer.isActive)
    await claims.release(claim)
    try await older.close()
    try await newer.close()
  }
}
