// A transport needs only this import: with it come the store, and the sessions, messages and frames that a transport carries.
@_exported public import LogExchange
@_exported public import TripStore
