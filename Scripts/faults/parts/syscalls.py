NAME = "syscalls"
def run(b,t): pass
def catch(b,t,w): pass
