import DatabaseSupport
import StoreSupport
import Testing

@testable import HubDatabase

@Suite("Addresses of databases")
struct DatabaseAddressTests {
    @Test(
        "One is shown without its password, and not at all if its parts can be read in two ways",
        arguments: [
            ("postgresql://ana:secret@db:5432/trips?password=secret", "postgresql://ana@db:5432/trips"),
            ("postgres://ana@db/trips", "postgres://ana@db/trips"),
            ("postgresql://db,other:5433/trips", "postgresql://db,other:5433/trips"),
            ("postgresql://ana:secret@[::1]:5432,[fe80::1]/trips", "postgresql://ana@[::1]:5432,[fe80::1]/trips"),
            ("postgresql:///trips?host=/run/postgresql", "postgresql:///trips"),
            ("postgresql://ana:sec%40ret@db", "postgresql://ana@db"),
            ("postgresql://ana:se?cret@db/trips", "postgresql://…"),
            ("postgresql://ana:se/cret@db/trips", "postgresql://…"),
            ("postgresql://ana:se@cret@db/trips", "postgresql://…"),
            ("postgresql://ana:secret", "postgresql://…"),
            ("postgresql://db/trips?password=se@cret", "postgresql://…"),
            ("postgresql://ana:secret@db:secret/trips", "postgresql://…"),
        ])
    func shown(text: String, expected: String) throws {
        #expect(try #require(DatabaseAddress(text)).description == expected)
    }

    @Test(
        "The way to a host that is not this machine is open, unless the address or the environment asks for a proof of whom it leads to",
        arguments: [
            ("postgresql:///trips", [:], []), ("postgresql:///trips?host=/run/postgresql", [:], []),
            ("postgresql://localhost,127.0.0.1:5433,[::1]:5432/trips", [:], []),
            ("postgresql://%2Frun%2Fpg/trips", [:], []),
            ("postgresql://ana:secret@db:5432/trips", [:], ["db"]),
            ("postgresql://db/trips?sslmode=require", [:], ["db"]),
            ("postgresql://db/trips?sslmode=verify-full", [:], []), ("postgresql://localhost,db/trips", [:], ["db"]),
            ("postgresql://db/trips", ["PGSSLMODE": "verify-full"], []),
            ("postgresql://db/trips?sslmode=prefer", ["PGSSLMODE": "verify-full"], ["db"]),
            ("postgresql:///trips", ["PGHOST": "db"], ["db"]), ("postgresql:///trips?host=10.0.0.1", [:], ["10.0.0.1"]),
            ("postgresql://localhost/trips?hostaddr=10.0.0.1", [:], ["10.0.0.1"]),
            ("postgresql://127.evil.example/trips", [:], ["127.evil.example"]),
            ("postgresql://hub@:5432/trips", ["PGHOST": "db"], ["db"]),
            ("postgresql://localhost/trips?service=far", [:], ["far"]),
            ("postgresql:///trips?service=far", [:], ["far"]), ("postgresql://[fe80::1]:5432/trips", [:], ["fe80::1"]),
        ] as [(String, [String: String], [String])])
    func open(text: String, environment: [String: String], expected: [String]) throws {
        #expect(try #require(DatabaseAddress(text)).openHosts(environment: environment) == expected)
    }

    @Test(
        "What cannot be connected to is an error that repeats no part of a password",
        .enabled(if: HubDatabase.isAvailable, "libpq is not here"),
        arguments: [
            "postgresql://ana:se?cret@127.0.0.1:1/trips", "postgresql://ana:pa/secret@127.0.0.1:1/trips",
            "postgresql://ana:secret@[::1/trips", "postgresql://ana:%zzsecret@db/trips",
            "postgresql://ana:secret@127.0.0.1:secret/trips", "postgresql://127.0.0.1:1/trips?secret",
        ])
    func unreadable(text: String) throws {
        let address = try #require(DatabaseAddress(text))
        let library = try #require(ClientLibrary.system)
        do {
            _ = try DatabaseConnection(address, library, patience: .seconds(2))
            Issue.record("it connected")
        } catch {
            #expect([.disconnected, .wrongAddress].contains(error.code), "\(error)")
            #expect(!error.message.contains("cret") && !error.message.contains("pa/"), "\(error)")
        }
    }
}
