NAME = "write_back"
def run(b,t): pass
def catch(b,t,w): pass
