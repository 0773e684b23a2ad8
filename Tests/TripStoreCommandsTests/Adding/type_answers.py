"""Runs a program on a terminal: type_answers.py ANSWERS COMMAND...; types an answer after each prompt, which ends with ": ".

Answers have | between them; ^C and ^D are the keys. Prints what the terminal shows, and how the program ended."""
import os, pty, sys
answers, command = sys.argv[1].split("|"), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    os.execv(command[0], command)
shown = b''
def read():
    global shown
    try:
        more = os.read(terminal, 4096)
    except OSError:
        more = b''
    shown += more
    return more
for answer in answers:
    start = len(shown)
    while b": " not in shown[start:] and read():
        pass
    os.write(terminal, {'^C': b'\x03', '^D': b'\x04'}.get(answer, answer.encode() + b'\n'))
while read():
    pass
status = os.waitpid(child, 0)[1]
print(shown.decode().replace('\r\n', '\n'))
print('signal', os.WTERMSIG(status)) if os.WIFSIGNALED(status) else print('code', os.WEXITSTATUS(status))
