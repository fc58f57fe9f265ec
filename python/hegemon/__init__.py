from hegemon._hegemon import *
