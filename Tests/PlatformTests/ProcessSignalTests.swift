import Foundation
import Testing

@testable import Platform

@Suite("Signals of the process")
struct ProcessSignalTests {
    @Test("Whether a signal is ignored is read, and its handler stays as it is")
    func ignored() {
        // By default nothing comes of this one, so that no run of the tests ends by it.
        let number = SIGWINCH
        let handler: @convention(c) (Int32) -> Void = { _ in }
        let before = signal(number, handler)
        #expect(!ProcessSignal.isIgnored(number))
        // The handler that is replaced is the one that was set: looking did not take its place.
        let replaced = signal(number, SIG_IGN)
        #expect(unsafeBitCast(replaced, to: Int.self) == unsafeBitCast(handler, to: Int.self))
        #expect(ProcessSignal.isIgnored(number))
        signal(number, SIG_DFL)
        #expect(!ProcessSignal.isIgnored(number))
        signal(number, before)
        #expect(!ProcessSignal.isIgnored(SIGKILL) && !ProcessSignal.isIgnored(-1))
    }
}
