import Foundation
import RandomQuestions
import StoreSupport
import TestSupport
import Testing
import TripStore
import TripStoreTestSupport

@Suite("Random questions for every kind, held against a plain filter")
struct RandomQuestionTests {
    @Test(
        "Items, trips, organizations and an app's kind are found by themselves, by what belongs to them and what they name",
        .timeLimit(.minutes(5)), arguments: Seeds.some(3))
    func random(seed: UInt64) async throws {
        let options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        var session = try await QuestionSession(seed: seed, options)
        let store = session.questions.store
        let (start, before) = (try store.status().position, session.questions.rows)
        for number in 1...60 {
            do { try session.ask() } catch let error as WrongAnswer { Issue.record("seed \(seed): \(error)") }
            do {
                if number.isMultiple(of: 5) { try await session.changeOneTrip() }
                if number.isMultiple(of: 20) { try await session.change() }
            } catch let error as WrongAnswer { Issue.record("seed \(seed): \(error)") }
        }
        #expect(session.byIndex > 0)
        #expect(store.cacheStatistics.hits > 200 && store.cacheStatistics.dropped > 200)
        do { try session.askAgain(try await store.asOf(.position(start)), before) } catch let error as WrongAnswer {
            Issue.record("seed \(seed), in the past: \(error)")
        }
        try await store.expectInvariants()
    }

    @Test(
        "While entities change, each that stays in its place is on exactly one page", .timeLimit(.minutes(5)),
        arguments: Seeds.some(2))
    func changingPages(seed: UInt64) async throws {
        let options = TripStore.Options(mapSize: 1 << 30, dependencies: ManualClock().dependencies)
        var session = try await QuestionSession(seed: seed, options)
        for _ in 0..<10 {
            do { try await session.readPagesWhileChanging() } catch let error as WrongAnswer {
                Issue.record("seed \(seed): \(error)")
            }
        }
        try await session.questions.store.expectInvariants()
    }
}
