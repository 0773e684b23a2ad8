import Foundation
import Testing

/// One browser for the tests of a suite, which run one after another: to start one takes longer than most of them do.
struct SharedBrowser: SuiteTrait, TestScoping {
    @TaskLocal static var current: WebDriver?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let browser = try await WebDriver.start()
        do {
            try await Self.$current.withValue(browser) { try await function() }
        } catch {
            await browser.end()
            throw error
        }
        await browser.end()
    }
}

extension Trait where Self == SharedBrowser {
    static var sharedBrowser: Self { SharedBrowser() }
}
