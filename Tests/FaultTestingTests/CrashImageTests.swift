import Testing
@testable import FaultTesting

@Suite("Crash images") struct CrashImageTests {}
