import Testing

@testable import MPaaSServer
