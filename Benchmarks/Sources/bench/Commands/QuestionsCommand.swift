import ArgumentParser
import Foundation
import Peers
import RandomQuestions
import TripStore

/// Holds the answers to random questions against a plain filter in memory and against SQLite.
struct QuestionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "questions",
        abstract: "Compare the answers to random questions with a plain filter and with SQLite.",
        discussion: """
            Each store has random trips, items of all kinds, organizations and entities of an app's kind, one trip in twenty deleted and some restored, \
            and some of the indexes. Each question is asked in Swift and in words, page by page, with its count and its groups.
            """)

    @Option(help: "Questions in all.")
    var count = 10_000

    @Option(help: "Questions of each store.")
    var ofEach = 250

    @Option(help: "The first seed; each store has the next.")
    var seed: UInt64 = 1

    func run() async throws {
        var (asked, byIndex) = (0, 0)
        var seed = seed
        while asked < count {
            let number = min(ofEach, count - asked)
            var session = try await QuestionSession(seed: seed, .bench)
            let sqlite = try SQLiteQuestions(session.questions.rows)
            for _ in 0..<number {
                do { try session.ask(sqlite) } catch let error as WrongAnswer {
                    throw BenchError("Seed \(seed): \(error)")
                }
            }
            await session.questions.store.close()
            asked += number
            byIndex += session.byIndex
            seed += 1
        }
        print("\(asked) questions, \(byIndex) of them answered by an index: all as the filter and SQLite say.")
    }
}
